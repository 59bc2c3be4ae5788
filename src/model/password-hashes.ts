import type { Random } from '../core/clock.ts';
import { hashPassword } from '../core/password.ts';
import type { Request } from '../core/request.ts';
import type { PasswordHashes } from './field-kind-row.ts';
import { isRecord } from './json-value.ts';
import type { ColumnModel } from './model.ts';

/** Passwords that are hashed ahead for one request, at 0.3 s each: the last one within 6 s. */
export const MOST_PASSWORDS = 20;

type Values = Readonly<Record<string, unknown>>;

const ahead = new WeakMap<Request, PasswordHashes>();

/** What was hashed ahead for a request; undefined where nothing was. */
export const findHashes = (request: Request): PasswordHashes | undefined => ahead.get(request);

/** Lets another request, such as an operation of a batch, use what was hashed for the first one. */
export function shareHashes(from: Request, to: Request): void {
  const hashes = ahead.get(from);
  if (hashes) ahead.set(to, hashes);
}

/** The passwords among a row's values, by column or, as an import has them, by field; a fieldset's groups may have none. */
function listPasswords(columns: readonly ColumnModel[], values: Values): string[] {
  return columns.flatMap(({ name, field }) => {
    if (field.type !== 'password') return [];
    const key = Object.hasOwn(values, name) ? name : field.name;
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

/** A password that several rows have gets a hash for each; one that is asked for again, as a second try does, begins anew. */
class Ahead implements PasswordHashes {
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
 * Hashes the passwords of a request's rows before a transaction is opened, which lasts 5 s at most: a hash takes 0.3 s and
 * waits for those before it. Does nothing where that was done already.
 *
 * @returns False, with nothing hashed, where there are more than {@link MOST_PASSWORDS}.
 * @throws PASSWORD_BUSY (503) where the wait for its turn would be too long.
 */
export function hashAhead(
  request: Request,
  columns: readonly ColumnModel[],
  rows: readonly unknown[],
  random: Random,
): Promise<boolean> {
  return hashTexts(
    request,
    rows.filter(isRecord).flatMap((row) => listPasswords(columns, row)),
    random,
  );
}

/** As {@link hashAhead}, of passwords that are no columns of rows. */
export async function hashTexts(request: Request, passwords: readonly string[], random: Random): Promise<boolean> {
  if (ahead.has(request)) return true;
  if (passwords.length > MOST_PASSWORDS) return false;
  if (passwords.length === 0) return true;
  const hashes = new Ahead();
  // One after the other: so they leave room in the line for others' logins.
  for (const password of passwords) hashes.add(password, await hashPassword(password, random));
  ahead.set(request, hashes);
  return true;
}
