import * as z from 'zod';
import { nullableLookupId, onlyText } from '../../../plan/event/value.ts';

/** The keys by which a stage names an account. */
export const accountKeys = () => ({
  auth_id: nullableLookupId('The account, or use `auth_slug`.'),
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
