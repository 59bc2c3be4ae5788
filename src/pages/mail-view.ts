import type { RenderMail } from '../plan/feature.ts';

interface Templates {
  has(name: string): boolean;
  render(name: string, data?: object): string;
}

/** The first line of a text, and what follows the empty lines after it. */
const SUBJECT = /^Subject:[ \t]*([^\r\n]*)(?:\r?\n)+/;

/** What a name in the data may hold and a subject may not: line breaks would add headers. */
const toSubject = (line: string): string => line.replace(/[\p{C}\s]+/gu, ' ').trim();

/** Renders the two templates of a mail, `<mailFolder><name>.txt` and `.html`; either may be missing. */
export function createMailView({
  html,
  text,
  mailFolder,
}: {
  readonly html: Templates;
  readonly text: Templates;
  /** Start of their names in both folders, such as `mail/`. */
  readonly mailFolder: string;
}): RenderMail {
  return (name, data) => {
    const whole = mailFolder + name;
    const [hasText, hasHtml] = [text.has(whole), html.has(whole)];
    if (!hasText && !hasHtml) return undefined;
    const rendered = hasText ? text.render(whole, data) : undefined;
    const line = rendered === undefined ? undefined : SUBJECT.exec(rendered)?.[1];
    return {
      subject: line === undefined ? undefined : toSubject(line),
      text: rendered?.replace(SUBJECT, ''),
      html: hasHtml ? html.render(whole, data) : undefined,
    };
  };
}
