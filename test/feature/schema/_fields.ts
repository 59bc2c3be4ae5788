import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSystem } from '../../../src/core/access.ts';
import { systemRandom } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import { Memory } from '../../../src/core/memory.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { createPasswords } from '../../../src/core/secret/password.ts';
import type { Database } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migration.ts';
import { createTables } from '../../../src/database/table.ts';
import { schema } from '../../../src/feature/schema/index.ts';
import type { Model } from '../../../src/model/model.ts';
import type { Field } from '../../../src/model/shape.ts';
import type { Context, Facts } from '../../../src/plan/feature.ts';
import { createFileStore, type Files } from '../../../src/project/file-store.ts';
import { CHEAP_COST } from '../../../src/testing/people.ts';
import { openPlaced } from '../../database/_where.ts';
import { clock } from '../../store/read/_world.ts';
import { toModel } from '../rest/_world.ts';

export interface FieldBench {
  readonly model: Model;
  readonly database: Database;
  readonly files: Files;
  /** URLs of all stored files. */
  listFiles(): Promise<string[]>;
  emit(event: string, stage: Record<string, unknown>, prepare?: (request: Request) => void): Promise<Response>;
  /** If set, thrown at the end of a write to test that it is rolled back. */
  readonly trap: { error: Error | undefined };
}

type Definitions = Parameters<typeof toModel>[0];

/** The schema feature over a new database with these definitions, and a temporary folder for files. */
export async function onFields(definitions: Definitions, fn: (bench: FieldBench) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'treadle-fields-'));
  const database = await openPlaced({ root, clock });
  try {
    const model = toModel(definitions);
    await migrate(database, createTables(model, [], { dialect: database.dialect }));
    const passwords = createPasswords(systemRandom, CHEAP_COST);
    const files = createFileStore({ folder: join(root, 'upload'), random: systemRandom });
    const trap: FieldBench['trap'] = { error: undefined };
    const context = {
      memory: new Memory(),
      plan: { model },
      services: { database, clock, random: systemRandom, passwords, log: silentLog, files },
      async committing() {
        if (trap.error) throw trap.error;
        return {};
      },
      hasListener: () => trap.error !== undefined,
      write: (_: unknown, unit: () => Promise<void>) => database.write(unit),
    } as unknown as Context;
    const { events = [] } = schema.contribute({ model } as unknown as Facts);
    const listeners = new Map(events.map(({ name, listen }) => [name, listen(context)]));
    await fn({
      model,
      database,
      files,
      trap,
      async listFiles() {
        const found: string[] = [];
        for await (const { name } of files.list()) found.push(`/upload/${name}`);
        return found;
      },
      async emit(event, stage, prepare) {
        const request = new Request();
        const response = new Response(request);
        request.setStage(stage).setServer('REMOTE_ADDR', '192.0.2.7');
        prepare?.(request);
        await asSystem(async () => listeners.get(event)?.(request, response, { event, variables: [] }));
        return response;
      },
    });
  } finally {
    await database.close();
    await rm(root, { recursive: true, force: true });
  }
}

export const toSchema = (name: string, fields: readonly Field[]) => ({
  name,
  singular: name,
  plural: `${name}s`,
  fields,
});
