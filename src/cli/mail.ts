import { systemClock, toSeconds } from '../core/clock.ts';
import type { Problem } from '../core/errors.ts';
import { isDatabaseThere } from '../database/file.ts';
import type { Settings } from '../model/shape.ts';
import type { Environment } from '../project/environment.ts';
import { withDatabase } from './database.ts';

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

/** A waiting mail is tried at once, and then within minutes. */
const STUCK_SECONDS = 3600;

/** How the mails stand, in words; undefined if the database does not exist yet. */
export async function readMailQueue(at: {
  readonly url: string;
  readonly root: string;
}): Promise<{ readonly text: string; readonly isStuck: boolean } | undefined> {
  if (!isDatabaseThere(at.url, at.root)) return undefined;
  const { readMailFigures } = await import('../boot.ts');
  const now = toSeconds(systemClock.now());
  const read = withDatabase({ ...at, isMaking: false }, (database) => readMailFigures(database, now));
  // No table yet, or no database: another line says which.
  const figures = await read.catch(() => undefined);
  if (figures === undefined) return undefined;
  const { waiting, oldestSeconds, sent, failed } = figures;
  const isStuck = oldestSeconds > STUCK_SECONDS;
  const late = isStuck ? `, the oldest for ${Math.round(oldestSeconds / 60)} minutes: is a server running?` : '';
  return {
    text: `${waiting} waiting${late}; in 24 hours ${sent} sent, ${failed} given up`,
    isStuck: isStuck || failed > 0,
  };
}
