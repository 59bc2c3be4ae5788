import type { Database } from '../../../database/database.ts';
import { ADMIN, parseRoles } from '../../../model/role/role.ts';
import { listTypes } from '../sql.ts';

/** Whether any account has the built-in role `admin`. */
export const hasAdministrator = async (database: Database): Promise<boolean> =>
  (await listTypes(database)).some((type) => parseRoles(type).includes(ADMIN));
