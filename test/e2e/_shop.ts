import { type BootOptions, boot, type Site } from '../boot.ts';
import type { Files, Project } from '../project.ts';

const talk = {
  name: 'talk',
  singular: 'Talk',
  plural: 'Talks',
  fields: [
    { name: 'title', label: 'Title', type: 'text', validation: [{ method: 'required', message: 'Title is required' }] },
    {
      name: 'capacity',
      label: 'Capacity',
      type: 'number',
      validation: [{ method: 'gte', parameters: 0, message: 'No negative capacity' }],
    },
  ],
};
const ticket = {
  name: 'ticket',
  singular: 'Ticket',
  plural: 'Tickets',
  fields: [
    { name: 'seat', label: 'Seat', type: 'text', filterable: true },
    { name: 'active', type: 'active' },
    { name: 'created', type: 'created' },
  ],
  relations: [{ schema: 'talk', kind: '1:1' }],
};

const ACTIONS = 'search,detail,create,update,remove';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: {
    readonly error?: boolean;
    readonly message?: string;
    readonly results?: Record<string, unknown>;
    readonly validation?: Record<string, unknown>;
  };
}

export interface Shop {
  readonly site: Site;
  /** The lines of the log, as text. */
  log(): string;
  /** A JSON request. */
  send(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Emits as the system and returns the results; throws an error. */
  emit(event: string, stage: Record<string, unknown>): Promise<Record<string, unknown>>;
}

export interface ShopOptions extends Pick<BootOptions, 'clock' | 'mode' | 'env' | 'settings'> {
  /** Source of `app/www/src/controller/shop.ts`. */
  readonly code: string;
  readonly files?: Files;
  /** Keys of the schemas. */
  readonly talk?: object;
  readonly ticket?: object;
}

/** Writes schemas `talk` and `ticket`, public calls for both, and the given code. */
async function writeShop(project: Project, { talk: talkKeys, ticket: ticketKeys, code }: ShopOptions): Promise<void> {
  project.write('config/schema/talk.json', { ...talk, ...talkKeys });
  project.write('config/schema/ticket.json', { ...ticket, ...ticketKeys });
  project.addController('shop', code);
  for (const schema of ['talk', 'ticket'])
    await project.cli('rest', 'generate', schema, '--access', 'public', '--action', ACTIONS);
}

/** A ticket shop, served. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const { code: _, talk: __, ticket: ___, ...given } = options;
  const site = await boot({
    template: 'bare',
    settings: { api: true },
    ...given,
    change: (project) => writeShop(project, options),
  });
  return {
    site,
    log: () => site.log.join('\n'),
    async send(method, path, json, headers = {}) {
      const answer = await site.send(method, path, { ...(json === undefined ? {} : { json }), headers });
      return { status: answer.status, headers: answer.headers, body: answer.json() ?? {} };
    },
    emit: async (event, stage) => (await site.emit(event, stage)).getResults<Record<string, unknown>>(),
  };
}
