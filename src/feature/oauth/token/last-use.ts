import { toSeconds } from '../../../core/clock.ts';
import { createRepeating } from '../../../plan/emit/repeat.ts';
import type { Context, Services, Worker } from '../../../plan/feature.ts';
import { markUsed } from '../sql.ts';

const EVERY_MILLISECONDS = 1000;
/** Hashes in one statement, well under every database's limit of parameters. */
const CHUNK = 500;

/** Token hash to unix second of the last use, until saved: a read needs no write. */
const createUses = (): Map<string, number> => new Map();

/** Notes in memory that a token was used now. */
export function noteUse(services: Services, tokenHash: string): void {
  services.memory.get(createUses).set(tokenHash, toSeconds(services.clock.now()));
}

function groupBySecond(uses: ReadonlyMap<string, number>): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const [hash, second] of uses) {
    const group = groups.get(second);
    if (group) group.push(hash);
    else groups.set(second, [hash]);
  }
  return groups;
}

async function flush(services: Services): Promise<void> {
  const uses = services.memory.get(createUses);
  if (uses.size === 0) return;
  const bySecond = groupBySecond(uses);
  uses.clear();
  const { database } = services;
  await database.write(async () => {
    for (const [second, hashes] of bySecond) {
      for (let start = 0; start < hashes.length; start += CHUNK) {
        await markUsed(database, hashes.slice(start, start + CHUNK), second);
      }
    }
  });
}

/** Writes the last uses each second, and at the end. */
export const createUseWriter = ({ services }: Context): Worker =>
  createRepeating(services, {
    every: EVERY_MILLISECONDS,
    errorCode: 'token-use-unsaved',
    isLast: true,
    run: () => flush(services),
  });
