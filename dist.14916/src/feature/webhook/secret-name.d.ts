import type { Model } from '../../model/model.ts';
/** Whether a named value, anywhere in an event's data, is a secret that must not be sent. */
export type IsSecret = (name: string, value: unknown) => boolean;
/**
 * Compiles the rule for secrets: known names, columns of a secret field type, and names with a secret
 * ending. A column that a schema declares with another type is not secret: `page_token` is sent.
 */
export declare function compileSecrets(model: Model): IsSecret;
