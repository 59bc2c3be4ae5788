import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import { once } from '../../core/memoize.ts';

const LANGUAGES = { bash, javascript, json, php, python } as const;

/** The language of a sample's tab. */
const TABS: Readonly<Record<string, keyof typeof LANGUAGES>> = {
  curl: 'bash',
  js: 'javascript',
  node: 'javascript',
  python: 'python',
  php: 'php',
};

const REFERENCES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x60;': '`',
  '&#x3D;': '=',
  '&amp;': '&',
};

/** The highlighter with its languages, made with the first page. Its classes start with `d-h-`. */
const findHighlighter = once(() => {
  const highlighter = core.newInstance();
  highlighter.configure({ classPrefix: 'd-h-' });
  for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
  return highlighter;
});

/** The language of code without a tab: JSON, or what a shell takes. */
function guess(text: string): keyof typeof LANGUAGES | undefined {
  if (/^\s*[[{]/.test(text)) return 'json';
  return /^(?:curl|export|npx|treadle) /.test(text) ? 'bash' : undefined;
}

const CODE =
  /(?:data-language="([a-z-]+)"[^>]*>\s*<summary>[^<]*<\/summary>\s*)?<pre class="t-code[^>]*><code>([^<]*)<\/code>/g;

/** Marks the code of a rendered page by classes. The code keeps its text; what has no known language stays as it is. */
export function highlightCode(html: string): string {
  return html.replace(CODE, (whole, tab: string | undefined, escaped: string) => {
    const text = escaped.replace(
      /&(?:lt|gt|quot|amp|#x27|#x60|#x3D);/g,
      (reference) => REFERENCES[reference] ?? reference,
    );
    const language = (tab === undefined ? undefined : TABS[tab]) ?? guess(text);
    if (language === undefined) return whole;
    const { value } = findHighlighter().highlight(text, { language });
    return `${whole.slice(0, whole.length - escaped.length - '</code>'.length)}${value}</code>`;
  });
}
