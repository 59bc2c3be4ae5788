import { Agent as HttpAgent } from 'node:http';
/**
 * Connections kept for the next call to the same receiver: few, and for a short time. They do not keep the
 * process running.
 */
export interface KeepAliveAgents {
    agent(isSecure: boolean): HttpAgent;
}
export declare function createKeepAliveAgents(): KeepAliveAgents;
