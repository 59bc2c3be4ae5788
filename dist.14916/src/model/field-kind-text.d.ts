import { type FieldKind, type PrepareTools } from './field-kind-row.ts';
/** Maximum characters of HTML: cleaning this much takes some 0.1 s. */
export declare const HTML_CHARACTERS = 200000;
export declare const trimmed: (value: unknown) => unknown;
type TextType = 'text' | 'email' | 'password' | 'search' | 'url' | 'mask' | 'slug' | 'color' | 'textarea' | 'wysiwyg' | 'markdown' | 'code';
export declare const textKinds: Readonly<Record<TextType, FieldKind>>;
/** HTML longer than this is cleaned off the event loop; shorter HTML takes some milliseconds. */
export declare const LONG_HTML = 4000;
/**
 * Cleans HTML; long HTML off the event loop.
 *
 * @param length Characters of all texts that are cleaned together. Default: this text only.
 */
export declare function cleanHtml(html: string, { html: cleaner }: PrepareTools, length?: number): string | Promise<string>;
export {};
