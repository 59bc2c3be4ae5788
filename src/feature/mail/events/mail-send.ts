import * as z from 'zod';
import { asSystem } from '../../../core/access.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { isEmailAddress, normalizeEmail, toAsciiDomain } from '../../../core/text/email.ts';
import { currentLocale, inLocale, type Locale, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { OutgoingMail } from '../../../outbound/mail.ts';
import { defineEvent, reject, rejectValues } from '../../../plan/event/event.ts';
import { anything } from '../../../plan/event/value.ts';
import type { Context, RenderedMail } from '../../../plan/feature.ts';
import { findLanguage, findOffered, hasChoice } from '../../../plan/language/languages.ts';
import { enqueueMails, RETRY_SECONDS } from '../enqueue.ts';
import { NO_WAY } from '../errors.ts';

/** Recipients of one event; each gets a mail of their own. */
const MOST_RECIPIENTS = 100;
const SUBJECT_MOST = 255;
const TEMPLATE = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)*$/;

/** What a visitor must not choose: else any page that emits this event would send mail to anyone. */
const CHOSEN_BY_CODE = ['to', 'subject', 'template'] as const;

const TO_ERROR = 'Should be an e-mail address, or a list of them';
const TEMPLATE_ERROR = 'Should be the name of a template';
const SECONDS_ERROR = 'Should be a number of seconds';

const readRecipients = (items: readonly unknown[]): string[] => [
  ...new Set(items.map((item) => (typeof item === 'string' ? toAsciiDomain(item.trim()) : ''))),
];

const recipients = () =>
  z.union([z.string(), z.array(z.unknown())], { error: TO_ERROR }).transform((value, context) => {
    const found = readRecipients(Array.isArray(value) ? value : [value]);
    const isRight = found.length > 0 && found.every(isEmailAddress);
    if (isRight && found.length <= MOST_RECIPIENTS) return found;
    const message = isRight ? translate('Should be at most {count} addresses', { count: MOST_RECIPIENTS }) : TO_ERROR;
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });

const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && !/\p{Cc}/u.test(value) && value.length <= SUBJECT_MOST;
const isLife = (value: unknown): value is number | string => Number.isSafeInteger(Number(value)) && Number(value) >= 1;
const isData = (value: unknown): value is Row => isRecord(value);

const shape = () =>
  z.object({
    to: recipients().describe(
      'E-mail address, or a list of at most 100; each gets a mail of their own. Never from a request.',
    ),
    subject: z
      .custom<string>(isSubject, {
        error: () => translate('Should be one line of at most {count} characters', { count: SUBJECT_MOST }),
      })
      .optional()
      .describe('Subject. Default: the first line of the `.txt` template, if it begins with `Subject:`.'),
    template: z
      .string({ error: TEMPLATE_ERROR })
      .regex(TEMPLATE, { error: TEMPLATE_ERROR })
      .describe('Name of the templates `app/www/src/template/mail/<name>.txt` and `.html`.'),
    data: z
      .custom<Row>(isData, { error: 'Should be an object' })
      .optional()
      .describe('What the templates render, with `site.name` and `site.url`.'),
    language: anything(
      'Tag of the language of its recipients, such as `de`. Default: of each recipient’s account, else of the request.',
    ),
    seconds: z
      .custom<number | string>(isLife, { error: SECONDS_ERROR })
      .optional()
      .describe('Seconds after which a mail that could not be sent is given up. Default two days.'),
  });

type MailRequest = z.output<ReturnType<typeof shape>>;

function render({ plan, services }: Context, { template, data = {} }: MailRequest, locale: Locale | undefined) {
  const site = { name: plan.model.settings.name, url: services.baseUrl() };
  const whole = { site, ...data };
  return inLocale(locale, () => plan.renderMail(template, whole) ?? services.views.renderMail(template, whole));
}

/** The same id whenever it is sent again, in the domain of the site. @see RFC 5322 section 3.6.4 */
function createMessageId({ random, baseUrl }: Context['services']): string {
  const host = URL.canParse(baseUrl()) ? new URL(baseUrl()).hostname.replace(/[[\]]/g, '') : 'localhost';
  return `<${random(18).toString('base64url')}@${host}>`;
}

/** Languages that the recipients' accounts keep, by address; none if code chose one, or the site has only one. */
async function readLanguages(context: Context, { to, language }: MailRequest): Promise<Row> {
  if (language !== undefined || !hasChoice(context.plan.languages)) return {};
  const request = new Request().setStage({ emails: to });
  const response = new Response(request);
  await asSystem(() => context.emit('auth-language-search', request, response));
  return (response.getResults('languages') ?? {}) as Row;
}

/** Renders a template for recipients, once for each of their languages. */
async function createRender(context: Context, options: MailRequest): Promise<(to: string) => RenderedMail | undefined> {
  const { languages } = context.plan;
  const own = await readLanguages(context, options);
  const usual = findLanguage(languages, options.language ?? currentLocale()?.tag);
  const made = new Map<Locale | undefined, RenderedMail | undefined>();
  return (to) => {
    const locale = findOffered(languages, own[normalizeEmail(to)]) ?? usual;
    if (!made.has(locale)) made.set(locale, render(context, options, locale));
    return made.get(locale);
  };
}

/** The mail to a recipient, or why it cannot be made. */
function createMail({ services }: Context, options: MailRequest, to: string, rendered: RenderedMail | undefined) {
  const place = `app/www/src/template/mail/${options.template}`;
  if (!rendered)
    return { fault: rejectValues({ template: translate('There is no {place}.txt and no {place}.html', { place }) }) };
  const subject = options.subject || rendered.subject;
  if (!subject) {
    const message = translate('Is missing: give one, or begin {place}.txt with "Subject: …" and an empty line', {
      place,
    });
    return { fault: rejectValues({ subject: message }) };
  }
  const { text, html } = rendered;
  const messageId = createMessageId(services);
  return { mail: { to, subject: subject.slice(0, SUBJECT_MOST), text, html, messageId } satisfies OutgoingMail };
}

export const mailSend = defineEvent({
  name: 'mail-send',
  description:
    'Queues a mail, with the open transaction if there is one. `app.mail` emits it. A listener before it may send mail another way.',
  kind: 'queues',
  stage: shape,
  results: () => z.object({ queued: z.number() }).describe('`queued`: the number of mails.'),
  async run(options, context, { request }) {
    const { services } = context;
    const fields = CHOSEN_BY_CODE.filter((name) => request.isBrought(name));
    if (fields.length > 0)
      return rejectValues(
        Object.fromEntries(fields.map((name) => [name, 'Cannot come with a request: set it in code'])),
      );
    if (services.mailer.way === 'none') return reject(NO_WAY);
    const renderFor = await createRender(context, options);
    const contents: { mail: OutgoingMail }[] = [];
    for (const to of options.to) {
      const { mail, fault } = createMail(context, options, to, renderFor(to));
      if (fault) return fault;
      contents.push({ mail });
    }
    const seconds = Number(options.seconds ?? RETRY_SECONDS);
    await enqueueMails(services, contents, { template: options.template, seconds });
    return { queued: contents.length };
  },
});
