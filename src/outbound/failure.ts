import { TreadleError } from '../core/errors.ts';

/** Why an allowed call failed. */
export type Why = 'timeout' | 'resolve' | 'connect' | 'tls' | 'reset' | 'abort';

export const toFailure = (why: Why, message: string, cause?: unknown): TreadleError =>
  new TreadleError('OUTBOUND_FAILED', message, { status: 502, detail: why, cause });

export const toRefusal = (reason: string): TreadleError =>
  new TreadleError('OUTBOUND_ADDRESS_REFUSED', reason, {
    status: 422,
    hint: 'Call a public address, or add its block to webhook.allowPrivate in config/settings.json.',
  });

/** Classifies an error of a socket or of TLS. */
export function toWhy(error: NodeJS.ErrnoException, isConnected: boolean): Why {
  const code = error.code ?? '';
  if (/CERT|TLS|SSL|ALTNAME|SELF_SIGNED|EPROTO|UNABLE_TO/.test(code)) return 'tls';
  return isConnected ? 'reset' : 'connect';
}
