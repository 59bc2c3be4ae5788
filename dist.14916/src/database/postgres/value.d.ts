export type Parse = (text: string) => unknown;
export declare const findParser: (type: number) => Parse | undefined;
