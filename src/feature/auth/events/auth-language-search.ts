import { getAccess } from '../../../core/access.ts';
import { normalizeEmail } from '../../../core/text/email.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { readText } from '../account/account.ts';
import { listLanguages } from '../sql.ts';

export const authLanguageSearch: EventContribution = {
  name: 'auth-language-search',
  description: 'Finds the languages that accounts keep, for mails to them. For code that runs as the system.',
  stage: { emails: 'List of e-mail addresses.' },
  results: '`languages`: the tag by e-mail address in canonical form, of accounts that keep a language.',
  kind: 'silent',
  listen:
    ({ services }) =>
    async (request, response) => {
      // Anybody else would learn who has an account.
      if (getAccess().kind !== 'system') {
        return response.refuse({ status: 403, message: 'Only code that runs as the system finds languages.' });
      }
      const emails = request.getStage('emails');
      const slugs: string[] = Array.isArray(emails) ? emails.map(readText) : [];
      const found = slugs.length === 0 ? [] : await listLanguages(services.database, slugs);
      const languages = found.map((row) => [normalizeEmail(String(row.auth_slug)), row.auth_language]);
      response.succeed({ languages: Object.fromEntries(languages) });
    },
};
