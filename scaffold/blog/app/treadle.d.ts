// Made by `treadle types` from the definitions in config/: change those and run it again. `treadle dev` keeps it up to date.

import type { ActiveFilter, LinkFilter, NumberFilter, PageInput, PresenceFilter, Sorted, TextFilter } from 'treadle';

/** What the site publishes */
export interface ArticleRow {
  article_id: number;
  article_title: string;
  article_slug: string | null;
  article_category: string | null;
  article_author: string | null;
  article_published: string | null;
  article_detail: string | null;
  article_active: 0 | 1;
  article_created: string | null;
  article_updated: string | null;
}

export interface ArticleRelations {
  comment: CommentRow[];
}

export type ArticleDetail = ArticleRow & ArticleRelations;

export interface ArticleCreate {
  readonly article_title: string;
  readonly article_slug?: string | null;
  readonly article_category?: string | null;
  readonly article_author?: string | null;
  readonly article_published?: string | null;
  readonly article_detail?: string | null;
  /** Links the new row with this comment. */
  readonly comment_id?: number;
}

export interface ArticleUpdate {
  readonly article_title?: string;
  readonly article_slug?: string | null;
  readonly article_category?: string | null;
  readonly article_author?: string | null;
  readonly article_published?: string | null;
  readonly article_detail?: string | null;
}

export interface ArticleConditions {
  readonly article_id?: NumberFilter;
  readonly article_category?: TextFilter;
  readonly article_published?: TextFilter;
  readonly article_active?: ActiveFilter;
  readonly comment_id?: LinkFilter;
  readonly comment?: PresenceFilter;
  readonly 'comment.comment_id'?: NumberFilter;
  readonly 'comment.comment_active'?: ActiveFilter;
  readonly 'comment.profile_id'?: NumberFilter;
  readonly 'comment.article_id'?: NumberFilter;
}

export interface ArticleSearch extends PageInput {
  /** Words, all of which are in article_title, article_detail. */
  readonly q?: string;
  readonly filter?: ArticleConditions;
  readonly sort?: Sorted<'article_id' | 'article_title' | 'article_published' | 'article_created'>;
  readonly fields?: readonly (keyof ArticleRow)[];
  readonly expand?: readonly (keyof ArticleRelations)[];
}

/** Columns to group by, times among them, and to add up. */
export interface ArticleGroups {
  readonly by: 'article_id' | 'article_title' | 'article_slug' | 'article_category' | 'article_author' | 'article_published' | 'article_detail' | 'article_active' | 'article_created' | 'article_updated';
  readonly times: 'article_published' | 'article_created' | 'article_updated';
  readonly sums: 'article_active';
}

export type ArticleKey = { readonly article_id: number };

/** What a reader says */
export interface CommentRow {
  comment_id: number;
  comment_detail: string;
  comment_active: 0 | 1;
  comment_created: string | null;
  comment_updated: string | null;
  profile_id: number;
  article_id: number | null;
  profile_name: string;
  profile_active: 0 | 1;
  profile_created: string | null;
  profile_updated: string | null;
}

export interface CommentRelations {}

export type CommentDetail = CommentRow & CommentRelations;

export interface CommentCreate {
  readonly comment_detail: string;
  readonly profile_id: number;
  readonly article_id?: number | null;
}

export interface CommentUpdate {
  readonly comment_detail?: string;
  readonly profile_id?: number;
  readonly article_id?: number | null;
}

export interface CommentConditions {
  readonly comment_id?: NumberFilter;
  readonly comment_active?: ActiveFilter;
  readonly profile_id?: NumberFilter;
  readonly article_id?: NumberFilter;
  readonly profile_active?: ActiveFilter;
  readonly profile?: PresenceFilter;
  readonly 'profile.profile_id'?: NumberFilter;
  readonly 'profile.profile_active'?: ActiveFilter;
  readonly article?: PresenceFilter;
  readonly 'article.article_id'?: NumberFilter;
  readonly 'article.article_category'?: TextFilter;
  readonly 'article.article_published'?: TextFilter;
  readonly 'article.article_active'?: ActiveFilter;
}

export interface CommentSearch extends PageInput {
  /** Words, all of which are in comment_detail, profile_name. */
  readonly q?: string;
  readonly filter?: CommentConditions;
  readonly sort?: Sorted<'comment_id' | 'comment_created'>;
  readonly fields?: readonly (keyof CommentRow)[];
  readonly expand?: readonly (keyof CommentRelations)[];
}

/** Columns to group by, times among them, and to add up. */
export interface CommentGroups {
  readonly by: 'comment_id' | 'comment_detail' | 'comment_active' | 'comment_created' | 'comment_updated' | 'profile_id' | 'article_id' | 'profile_name' | 'profile_active' | 'profile_created' | 'profile_updated';
  readonly times: 'comment_created' | 'comment_updated' | 'profile_created' | 'profile_updated';
  readonly sums: 'comment_active' | 'profile_active';
}

export type CommentKey = { readonly comment_id: number };

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
  readonly comment_id?: LinkFilter;
  readonly comment?: PresenceFilter;
  readonly 'comment.comment_id'?: NumberFilter;
  readonly 'comment.comment_active'?: ActiveFilter;
  readonly 'comment.profile_id'?: NumberFilter;
  readonly 'comment.article_id'?: NumberFilter;
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
    article: {
      primary: 'article_id';
      row: ArticleRow;
      relations: ArticleRelations;
      key: ArticleKey;
      create: ArticleCreate;
      update: ArticleUpdate;
      search: ArticleSearch;
      groups: ArticleGroups;
    };
    comment: {
      primary: 'comment_id';
      row: CommentRow;
      relations: CommentRelations;
      key: CommentKey;
      create: CommentCreate;
      update: CommentUpdate;
      search: CommentSearch;
      groups: CommentGroups;
    };
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
