import type { Problem } from '../core/errors.ts';
import type { Settings } from '../model/shape.ts';
import type { Environment } from '../project/environment.ts';

/** What does not work in production without a mail server; undefined if one is set. */
export function findMailGap({ mailServer }: Environment, { auth }: Settings): string | undefined {
  if (mailServer !== undefined) return undefined;
  const verify = auth.verify ? '; "auth.verify" is on, so nobody who signs up can log in' : '';
  return `MAIL_URL is not set: the site sends no mail${verify}`;
}

/**
 * The same as advice for `treadle check`, where it matters to the files: on the machine of production, and wherever sign-up
 * depends on mail.
 */
export function toMailAdvice(environment: Environment, settings: Settings): Problem[] {
  const gap = findMailGap(environment, settings);
  if (gap === undefined || (environment.mode !== 'production' && !settings.auth.verify)) return [];
  return [
    {
      code: 'MAIL_MISSING',
      file: '.env',
      path: 'MAIL_URL',
      message: `${gap}.`,
      hint: 'Set MAIL_URL and MAIL_FROM where the site runs. `treadle dev` shows mail at /__treadle/mail without them.',
      severity: 'advice',
    },
  ];
}
