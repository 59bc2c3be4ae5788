import * as z from 'zod';
import { defer } from '../../core/memoize.ts';
import { suggest } from '../../core/text/suggest.ts';

/** Directives with a list of sources. @see CSP Level 3 section 6 */
const SOURCE_DIRECTIVES = [
  'base-uri',
  'child-src',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'worker-src',
] as const;
const EMPTY_DIRECTIVE = 'upgrade-insecure-requests';
const REPORT_DIRECTIVES = ['report-to', 'report-uri'];
const DIRECTIVES: readonly string[] = [...SOURCE_DIRECTIVES, EMPTY_DIRECTIVE, ...REPORT_DIRECTIVES];

const KEYWORDS: readonly string[] = [
  'self',
  'none',
  'unsafe-inline',
  'unsafe-eval',
  'wasm-unsafe-eval',
  'unsafe-hashes',
  'strict-dynamic',
  'report-sample',
];
/** A blank, `;` or `,` would end the source, and with it begin another directive or another policy. */
const PRINTED = /^[\x21-\x7e]+$/;
const HASH = /^'sha(?:256|384|512)-[A-Za-z0-9+/_-]+={0,2}'$/;

/** Why this is not a source of a directive, as the end of a sentence; undefined if it is. */
function findSourceError(directive: string, text: string): string | undefined {
  if (!PRINTED.test(text) || /[;,]/.test(text)) return 'must be one source, without blanks, ";" and ","';
  if (REPORT_DIRECTIVES.includes(directive)) return undefined;
  if (KEYWORDS.includes(text)) return `must have single quotes: "'${text}'"`;
  if (!text.includes("'")) return undefined;
  if (text.startsWith("'nonce-")) {
    return 'must not be a nonce: it has to differ in every answer, so the route sets it, by response.addHeader';
  }
  const isKnown = HASH.test(text) || KEYWORDS.some((word) => text === `'${word}'`);
  return isKnown
    ? undefined
    : `must be a host, a scheme, a hash, or one of ${KEYWORDS.map((word) => `'${word}'`).join(', ')}`;
}

function findListError(directive: string, sources: readonly string[]): string | undefined {
  if (directive === EMPTY_DIRECTIVE) return sources.length === 0 ? undefined : 'must be an empty list';
  if (sources.length === 0) return `must not be empty: "'none'" allows nothing`;
  return sources.length > 1 && sources.includes("'none'") ? `must hold nothing beside "'none'"` : undefined;
}

/** Directives of a Content-Security-Policy, each with its sources. */
export const ContentPolicy = defer(() =>
  z.record(z.string(), z.array(z.string())).superRefine((policy, context) => {
    const refuse = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    for (const [directive, sources] of Object.entries(policy)) {
      if (!DIRECTIVES.includes(directive)) {
        const near = suggest(directive, DIRECTIVES);
        const remedy = near === undefined ? `one of ${DIRECTIVES.join(', ')}` : `such as "${near}"`;
        refuse([directive], `must be a directive, ${remedy}`);
        continue;
      }
      const listError = findListError(directive, sources);
      if (listError !== undefined) refuse([directive], listError);
      for (const [index, source] of sources.entries()) {
        const error = findSourceError(directive, source);
        if (error !== undefined) refuse([directive, index], error);
      }
    }
  }),
);
