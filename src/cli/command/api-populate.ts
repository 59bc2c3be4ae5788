import { applyChanges, type Change } from '../../edit/change.ts';
import type { Hook, Rest, Scope } from '../../model/shape.ts';
import { getDefinition, readDefinitions, toOutcome } from '../change/definition.ts';
import type { CommandSpec } from '../spec.ts';

const APP_CALL: Rest = {
  title: 'Get a profile',
  access: 'app',
  method: 'get',
  path: '/public/profile/detail/:profile_id',
  event: 'system-model-detail',
  parameters: { schema: 'profile' },
  description: 'One profile, for an app.',
};

const USER_CALL: Rest = {
  title: 'Get your profile',
  access: 'user',
  method: 'get',
  path: '/user/profile/detail',
  event: 'system-model-detail',
  parameters: { schema: 'profile' },
  description: 'The profile of the user who granted access.',
};

const SCOPE: Scope = {
  slug: 'profile_read',
  name: 'See your profile',
  access: 'user',
  description: 'Your name and when you signed up.',
  calls: ['user-profile-detail'],
};

const HOOK: Hook = {
  title: 'Profile created',
  event: 'system-model-create',
  parameters: { schema: 'profile' },
  type: 'profile.created',
  audience: 'app',
  method: 'post',
  delivery: 'queued',
  secretVersion: 1,
  description: 'Somebody signed up, or a profile was created in another way.',
};

export const command: CommandSpec = {
  isWriting: true,
  examples: ['treadle api populate'],
  async run(invocation) {
    const definitions = await readDefinitions(invocation);
    getDefinition(definitions, 'schema', 'profile');
    const wanted: Change[] = [
      { kind: 'rest', name: 'app-profile-detail', value: APP_CALL },
      { kind: 'rest', name: 'user-profile-detail', value: USER_CALL },
      { kind: 'scope', name: 'profile_read', value: SCOPE },
      { kind: 'webhook', name: 'profile-created', value: HOOK },
    ];
    // Existing files are kept, because somebody may have changed them.
    const fresh = wanted.filter(({ kind, name }) => kind !== 'settings' && !definitions[kind].has(name));
    const written: object = JSON.parse(definitions.settings.text);
    const settings: Change = { kind: 'settings', name: 'settings', value: { ...written, api: true } };
    const files = await applyChanges(invocation, [...fresh, settings]);
    return toOutcome(invocation, files, {
      next: [
        'treadle dev, then open /developer/app/search',
        'treadle app create <name> --title <text> --redirect-uri <uri> --scope profile_read',
      ],
    });
  },
};
