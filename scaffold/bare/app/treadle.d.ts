// Made by `treadle types` from the definitions in config/: change those and run it again. `treadle dev` keeps it up to date.

import type { ActiveFilter, NumberFilter, PageInput, Sorted } from 'treadle';

/** A person who signed up */
export interface ProfileRow {
  profile_id: number;
  profile_name: string;
  profile_active: 0 | 1;
  profile_created: string | null;
  profile_updated: string | null;
}

export interface ProfileRelations {}

export type ProfileDetail = ProfileRow & ProfileRelations;

export interface ProfileCreate {
  readonly profile_name: string;
}

export interface ProfileUpdate {
  readonly profile_name?: string;
}

export interface ProfileConditions {
  readonly profile_id?: NumberFilter;
  readonly profile_active?: ActiveFilter;
}

export interface ProfileSearch extends PageInput {
  /** Words, all of which are in profile_name. */
  readonly q?: string;
  readonly filter?: ProfileConditions;
  readonly sort?: Sorted<'profile_id' | 'profile_created'>;
  readonly fields?: readonly (keyof ProfileRow)[];
  readonly expand?: readonly (keyof ProfileRelations)[];
}

/** Columns to group by, times among them, and to add up. */
export interface ProfileGroups {
  readonly by: 'profile_id' | 'profile_name' | 'profile_active' | 'profile_created' | 'profile_updated';
  readonly times: 'profile_created' | 'profile_updated';
  readonly sums: 'profile_active';
}

export type ProfileKey = { readonly profile_id: number };

declare module 'treadle' {
  interface Schemas {
    profile: {
      primary: 'profile_id';
      row: ProfileRow;
      relations: ProfileRelations;
      key: ProfileKey;
      create: ProfileCreate;
      update: ProfileUpdate;
      search: ProfileSearch;
      groups: ProfileGroups;
    };
  }
}
