import type { Request } from '../../core/request/request.ts';
import type { Passwords } from '../../core/secret/password.ts';
import { isRecord } from '../json/json-value.ts';
import type { ColumnModel } from '../model.ts';
import type { PasswordHashes } from './field-kind-row.ts';

/** Maximum passwords hashed beforehand per request; at 0.3 s each, all within 6 s. */
export const MOST_PASSWORDS = 20;

type Values = Readonly<Record<string, unknown>>;

const ahead = new WeakMap<Request, PasswordHashes>();

/** The hashes made beforehand for a request; undefined if there are none. */
export const findHashes = (request: Request): PasswordHashes | undefined => ahead.get(request);

/** Shares the hashes with another request, such as an operation of a batch. */
export function shareHashes(from: Request, to: Request): void {
  const hashes = ahead.get(from);
  if (hashes) ahead.set(to, hashes);
}

/**
 * The passwords in a row's values, by column name or, as in an import, by field name. Fieldsets cannot
 * contain passwords.
 */
function listPasswords(columns: readonly ColumnModel[], values: Values): string[] {
  return columns.flatMap(({ name, field }) => {
    if (field.type !== 'password') return [];
    const key = Object.hasOwn(values, name) ? name : field.name;
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

/**
 * Hashes by password. A password in several rows has one hash per row; a retry starts again with the first.
 */
class PreparedHashes implements PasswordHashes {
  readonly #lists = new Map<string, string[]>();

  add(password: string, hash: string): void {
    this.#lists.set(password, [...(this.#lists.get(password) ?? []), hash]);
  }

  take(password: string): string | undefined {
    const list = this.#lists.get(password);
    const hash = list?.shift();
    if (hash !== undefined) list?.push(hash);
    return hash;
  }
}

/**
 * Hashes the passwords of a request's rows before a transaction starts: it may last 5 s, but a hash takes 0.3
 * s and waits for earlier ones. Does nothing if already done.
 *
 * @returns False, with nothing hashed, if there are more than {@link MOST_PASSWORDS}.
 * @throws PASSWORD_BUSY (503) if the queue of hashes is too long.
 */
export function hashAhead(
  request: Request,
  columns: readonly ColumnModel[],
  rows: readonly unknown[],
  passwords: Passwords,
): Promise<boolean> {
  return hashTexts(
    request,
    rows.filter(isRecord).flatMap((row) => listPasswords(columns, row)),
    passwords,
  );
}

/** As {@link hashAhead}, for passwords that are not columns of rows. */
export async function hashTexts(request: Request, texts: readonly string[], passwords: Passwords): Promise<boolean> {
  if (ahead.has(request)) return true;
  if (texts.length > MOST_PASSWORDS) return false;
  if (texts.length === 0) return true;
  const hashes = new PreparedHashes();
  // One after the other, so that logins of others get their turn.
  for (const text of texts) hashes.add(text, await passwords.hash(text));
  ahead.set(request, hashes);
  return true;
}
