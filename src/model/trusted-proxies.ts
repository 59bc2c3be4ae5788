import type { Settings } from './shape.ts';

/** Which proxies count: `server.trustProxy` of the settings. `true` is one proxy. */
export type TrustedProxies = Settings['server']['trustProxy'];

/** Whether any proxy may report a client's address. */
export const isTrusting = (trusted: TrustedProxies): boolean =>
  typeof trusted === 'object' ? trusted.length > 0 : Number(trusted) > 0;
