/** Computes the pause before a restart: twice the last one, unless the worker served well meanwhile. */
export declare class RestartPause {
    #private;
    /** @param servedMs Milliseconds that the worker served; 0 if its start failed. */
    take(servedMs: number): number;
}
