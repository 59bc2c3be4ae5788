import * as z from 'zod';
import { onlyText } from '../../../plan/event/value.ts';
import { parseId } from './account.ts';

const toRowId = (value: unknown): number | undefined => (value === undefined ? undefined : (parseId(value) ?? 0));

/** The id of a row, as a number or a text of its digits; what is no id becomes 0, which no row has. Undefined where nothing is given. */
export const rowId = (description: string) =>
  z.custom<number | string>().optional().transform(toRowId).describe(description);

/** As {@link rowId}; null counts as nothing. */
export const accountId = (description: string) =>
  z
    .custom<number | string>()
    .nullish()
    .transform((value) => toRowId(value ?? undefined))
    .describe(description);

/** The keys by which a stage names an account. */
export const accountKeys = () => ({
  auth_id: accountId('The account, or use `auth_slug`.'),
  auth_slug: onlyText('Its e-mail address.'),
});

/** An account and its profile in one row, without the password. */
export const accountRow = () =>
  z
    .looseObject({
      auth_id: z.number(),
      auth_slug: z.string(),
      /** Slugs of roles, separated by commas. */
      auth_type: z.string(),
      auth_active: z.number(),
      auth_verified: z.number(),
      auth_verify: z.number(),
      auth_second_factor: z.string(),
      auth_language: z.string(),
      auth_created: z.string(),
      auth_updated: z.string(),
      profile_id: z.number(),
    })
    .describe('The account and its profile in one row, without the password.');
