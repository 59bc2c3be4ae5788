import { asSystem } from '../../../core/access.ts';
import { Request } from '../../../core/request/request.ts';
import { type Refusal, Response } from '../../../core/request/response.ts';
import { isEmailAddress, normalizeEmail, toAsciiDomain } from '../../../core/text/email.ts';
import { currentLocale, inLocale, type Locale, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toInvalidMessage } from '../../../model/field/validate.ts';
import type { OutgoingMail } from '../../../outbound/mail.ts';
import type { Context, EventContribution, RenderedMail } from '../../../plan/feature.ts';
import { findLanguage, findOffered, hasChoice } from '../../../plan/language/languages.ts';
import { enqueueMails, RETRY_SECONDS } from '../enqueue.ts';
import { NO_WAY } from '../errors.ts';

/** Recipients of one event; each gets a mail of their own. */
const MOST_RECIPIENTS = 100;
const SUBJECT_MOST = 255;
const TEMPLATE = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)*$/;

/** What a visitor must not choose: else any page that emits this event would send mail to anyone. */
const CHOSEN_BY_CODE = ['to', 'subject', 'template'] as const;

interface MailRequest {
  readonly recipients: readonly string[];
  readonly subject: string | undefined;
  readonly template: string;
  readonly data: Row;
  readonly language: unknown;
  readonly seconds: number;
}

function readRecipients(value: unknown): string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return [...new Set(items.map((item) => (typeof item === 'string' ? toAsciiDomain(item.trim()) : '')))];
}

const invalid = (validation: Readonly<Record<string, string>>): Refusal => ({
  status: 422,
  message: toInvalidMessage(validation),
  validation,
});

/** Reads the stage. Returns messages by field if it is wrong. */
function readMailRequest(request: Request): {
  readonly options: MailRequest;
  readonly faults: Readonly<Record<string, string>>;
} {
  const { to, subject, template, data = {}, language, seconds = RETRY_SECONDS } = request.getStage() as Row;
  const recipients = readRecipients(to);
  const errors: Record<string, string> = {};
  if (recipients.length === 0 || !recipients.every(isEmailAddress))
    errors.to = 'Should be an e-mail address, or a list of them';
  else if (recipients.length > MOST_RECIPIENTS)
    errors.to = translate('Should be at most {count} addresses', { count: MOST_RECIPIENTS });
  if (
    subject !== undefined &&
    (typeof subject !== 'string' || /\p{Cc}/u.test(subject) || subject.length > SUBJECT_MOST)
  )
    errors.subject = translate('Should be one line of at most {count} characters', { count: SUBJECT_MOST });
  if (typeof template !== 'string' || !TEMPLATE.test(template)) errors.template = 'Should be the name of a template';
  if (typeof data !== 'object' || data === null || Array.isArray(data)) errors.data = 'Should be an object';
  const life = Number(seconds);
  if (!Number.isSafeInteger(life) || life < 1) errors.seconds = 'Should be a number of seconds';
  for (const name of CHOSEN_BY_CODE)
    if (request.isBrought(name)) errors[name] = 'Cannot come with a request: set it in code';
  return {
    options: {
      recipients,
      subject: typeof subject === 'string' && subject !== '' ? subject : undefined,
      template: String(template),
      data: data as Row,
      language,
      seconds: life,
    },
    faults: errors,
  };
}

function render({ plan, services }: Context, { template, data }: MailRequest, locale: Locale | undefined) {
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
async function readLanguages(context: Context, { recipients, language }: MailRequest): Promise<Row> {
  if (language !== undefined || !hasChoice(context.plan.languages)) return {};
  const request = new Request().setStage({ emails: recipients });
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
    return { fault: invalid({ template: translate('There is no {place}.txt and no {place}.html', { place }) }) };
  const subject = options.subject ?? rendered.subject;
  if (!subject) {
    const message = translate('Is missing: give one, or begin {place}.txt with "Subject: …" and an empty line', {
      place,
    });
    return { fault: invalid({ subject: message }) };
  }
  const { text, html } = rendered;
  const messageId = createMessageId(services);
  return { mail: { to, subject: subject.slice(0, SUBJECT_MOST), text, html, messageId } satisfies OutgoingMail };
}

async function send(context: Context, request: Request, response: Response): Promise<void> {
  const { services } = context;
  const { options, faults } = readMailRequest(request);
  if (Object.keys(faults).length > 0) return response.refuse(invalid(faults));
  if (services.mailer.way === 'none') return response.refuse(NO_WAY);
  const renderFor = await createRender(context, options);
  const contents: { mail: OutgoingMail }[] = [];
  for (const to of options.recipients) {
    const { mail, fault } = createMail(context, options, to, renderFor(to));
    if (fault) return response.refuse(fault);
    contents.push({ mail });
  }
  await enqueueMails(services, contents, { template: options.template, seconds: options.seconds });
  response.succeed({ queued: contents.length });
}

export const mailSend: EventContribution = {
  name: 'mail-send',
  description:
    'Queues a mail, with the open transaction if there is one. `app.mail` emits it. A listener before it may send mail another way.',
  stage: {
    to: 'E-mail address, or a list of at most 100; each gets a mail of their own. Never from a request.',
    subject: 'Subject. Default: the first line of the `.txt` template, if it begins with `Subject:`.',
    template: 'Name of the templates `app/www/src/template/mail/<name>.txt` and `.html`.',
    data: 'What the templates render, with `site.name` and `site.url`.',
    language:
      'Tag of the language of its recipients, such as `de`. Default: of each recipient’s account, else of the request.',
    seconds: 'Seconds after which a mail that could not be sent is given up. Default two days.',
  },
  results: '`queued`: the number of mails.',
  kind: 'queues',
  listen: (context) => (request, response) => send(context, request, response),
};
