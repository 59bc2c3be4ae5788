import type { Files } from '../../project.ts';

/** A mistake in one file of {@link PROJECT}. */
export interface Fault {
  readonly what: string;
  readonly code: string;
  readonly file: string;
  /** Replaces the first in the text by the second. */
  readonly edit: readonly [string | RegExp, string];
}

const line = (type: string, name: string, more: object = {}): object => ({ name, type, ...more });

/** A project without any problem. */
export const PROJECT: Files = {
  'config/settings.json': {
    name: 'Site',
    api: true,
    server: { cors: ['https://example.com'] },
    limits: { perMinute: 600 },
  },
  'config/schema/profile.json': {
    name: 'profile',
    singular: 'Profile',
    plural: 'Profiles',
    fields: [line('text', 'name', { searchable: true }), line('active', 'active')],
  },
  'config/schema/room.json': {
    name: 'room',
    singular: 'Room',
    plural: 'Rooms',
    display: '{{room_title}}',
    fields: [
      line('text', 'title', { validation: [{ method: 'required' }], list: { format: 'length', parameters: [20] } }),
      line('number', 'seats', { filterable: true, sortable: true, attributes: { min: 1 } }),
      line('decimal', 'price', { precision: 8, scale: 2 }),
      line('datetime', 'from'),
      line('datetime', 'until'),
      line('tag', 'tags'),
      line('computed', 'double', { expression: 'seats * 2' }),
      line('active', 'active'),
    ],
    relations: [{ schema: 'profile', kind: '1:1' }],
    unique: [{ columns: ['room_title', 'room_seats'] }],
    indexes: [{ columns: ['room_title', '-room_seats'] }],
  },
  'config/rest/public-room-search.json': {
    title: 'Search rooms',
    access: 'public',
    method: 'get',
    path: '/public/room/search',
    event: 'system-model-search',
    parameters: { schema: 'room' },
  },
  'config/rest/user-room-search.json': {
    title: 'Search your rooms',
    access: 'user',
    method: 'get',
    path: '/user/room/search',
    event: 'system-model-search',
    parameters: { schema: 'room' },
  },
  'config/scope/rooms.json': { slug: 'rooms', name: 'See your rooms', access: 'user', calls: ['user-room-search'] },
  'config/webhook/room-created.json': {
    title: 'Room created',
    event: 'system-model-create',
    parameters: { schema: 'room' },
    type: 'room.created',
    fields: ['room_title', 'room_seats'],
    filter: { room_seats: { gte: 2 } },
  },
  'config/role/clerk.json': {
    slug: 'clerk',
    name: 'Clerk',
    permissions: [{ method: 'all', path: '/admin/data/room/**' }],
    data: { room: { search: { read: ['title'] }, detail: true } },
  },
  'config/role/member.json': { slug: 'member', name: 'Member', permissions: [], data: { room: { search: true } } },
};

const ROOM = 'config/schema/room.json';
const CALL = 'config/rest/public-room-search.json';
const SCOPE = 'config/scope/rooms.json';
const HOOK = 'config/webhook/room-created.json';
const ROLE = 'config/role/clerk.json';
const SETTINGS = 'config/settings.json';

export const FAULTS: readonly Fault[] = [
  { what: 'a key of a field', code: 'DEFINITION_KEY_UNKNOWN', file: ROOM, edit: ['"filterable"', '"filtrable"'] },
  { what: 'a key of a schema', code: 'DEFINITION_KEY_UNKNOWN', file: ROOM, edit: ['"relations"', '"relation"'] },
  { what: 'a key of a call', code: 'DEFINITION_KEY_UNKNOWN', file: CALL, edit: ['"parameters"', '"paramters"'] },
  { what: 'a key of a setting', code: 'DEFINITION_KEY_UNKNOWN', file: SETTINGS, edit: ['"perMinute"', '"perMinut"'] },
  { what: 'a key of an action', code: 'DEFINITION_KEY_UNKNOWN', file: ROLE, edit: ['"search"', '"serach"'] },
  {
    what: 'a type by another name',
    code: 'DEFINITION_VALUE_INVALID',
    file: ROOM,
    edit: ['"type": "text"', '"type": "string"'],
  },
  { what: 'a misspelt type', code: 'DEFINITION_VALUE_INVALID', file: ROOM, edit: ['"datetime"', '"datetme"'] },
  {
    what: 'a misspelt access',
    code: 'DEFINITION_VALUE_INVALID',
    file: CALL,
    edit: ['"access": "public"', '"access": "publc"'],
  },
  {
    what: 'a method in capitals',
    code: 'DEFINITION_VALUE_INVALID',
    file: CALL,
    edit: ['"method": "get"', '"method": "GET"'],
  },
  {
    what: 'a kind of relation',
    code: 'DEFINITION_VALUE_INVALID',
    file: ROOM,
    edit: ['"kind": "1:1"', '"kind": "1-1"'],
  },
  {
    what: 'a number as a text',
    code: 'DEFINITION_VALUE_INVALID',
    file: ROOM,
    edit: ['"precision": 8', '"precision": "8"'],
  },
  {
    what: 'a flag as a text',
    code: 'DEFINITION_VALUE_INVALID',
    file: ROOM,
    edit: ['"sortable": true', '"sortable": "true"'],
  },
  {
    what: 'one text for a list',
    code: 'DEFINITION_VALUE_INVALID',
    file: SCOPE,
    edit: [/\[\s*"user-room-search"\s*\]/, '"user-room-search"'],
  },
  {
    what: 'one object for a list',
    code: 'DEFINITION_VALUE_INVALID',
    file: ROOM,
    edit: [/"validation": \[\s*(\{[^}]*\})\s*\]/, '"validation": $1'],
  },
  {
    what: 'a list for a text',
    code: 'DEFINITION_VALUE_INVALID',
    file: CALL,
    edit: ['"title": "Search rooms"', '"title": ["Search rooms"]'],
  },
  {
    what: 'a setting as a text',
    code: 'DEFINITION_VALUE_INVALID',
    file: SETTINGS,
    edit: ['"perMinute": 600', '"perMinute": "600"'],
  },
  { what: 'no name', code: 'DEFINITION_KEY_MISSING', file: ROOM, edit: ['"name": "room",', ''] },
  { what: 'no plural', code: 'DEFINITION_KEY_MISSING', file: ROOM, edit: ['"plural": "Rooms",', ''] },
  { what: 'no slug', code: 'DEFINITION_KEY_MISSING', file: ROLE, edit: ['"slug": "clerk",', ''] },
  {
    what: 'no permissions',
    code: 'DEFINITION_KEY_MISSING',
    file: 'config/role/member.json',
    edit: ['"permissions": [],', ''],
  },
  {
    what: 'a comma after the last part',
    code: 'DEFINITION_JSON_BROKEN',
    file: CALL,
    edit: ['"schema": "room"', '"schema": "room",'],
  },
  {
    what: 'no comma between parts',
    code: 'DEFINITION_JSON_BROKEN',
    file: CALL,
    edit: ['"method": "get",', '"method": "get"'],
  },
  { what: 'a comment', code: 'DEFINITION_JSON_BROKEN', file: ROLE, edit: ['{', '{ // who works here'] },
  {
    what: 'a schema of a relation',
    code: 'MODEL_RELATION_UNKNOWN',
    file: ROOM,
    edit: ['"schema": "profile"', '"schema": "profle"'],
  },
  {
    what: 'a schema of a call',
    code: 'MODEL_SCHEMA_UNKNOWN',
    file: CALL,
    edit: ['"schema": "room"', '"schema": "rom"'],
  },
  { what: 'a schema of a role', code: 'MODEL_ROLE_SCHEMA', file: ROLE, edit: ['"room": {', '"rooom": {'] },
  { what: 'a column of a role', code: 'MODEL_ROLE_COLUMN', file: ROLE, edit: ['"title"', '"titel"'] },
  {
    what: 'a call of a scope',
    code: 'MODEL_SCOPE_CALL_UNKNOWN',
    file: SCOPE,
    edit: ['"user-room-search"', '"user-rooms-search"'],
  },
  {
    what: 'a call that is listed twice',
    code: 'MODEL_SCOPE_CALL_DUPLICATE',
    file: SCOPE,
    edit: ['"user-room-search"', '"user-room-search", "user-room-search"'],
  },
  {
    what: 'an event of a call',
    code: 'PLAN_EVENT_UNHEARD',
    file: CALL,
    edit: ['system-model-search', 'system-model-serch'],
  },
  { what: 'a column of a unique rule', code: 'MODEL_UNIQUE_COLUMN', file: ROOM, edit: ['"room_title",', '"title",'] },
  {
    what: 'a column of an index, downwards',
    code: 'MODEL_INDEX_COLUMN',
    file: ROOM,
    edit: ['"-room_seats"', '"-room_seat"'],
  },
  {
    what: 'a rule',
    code: 'MODEL_VALIDATION_UNKNOWN',
    file: ROOM,
    edit: ['"method": "required"', '"method": "requird"'],
  },
  { what: 'a format', code: 'MODEL_FORMAT_UNKNOWN', file: ROOM, edit: ['"format": "length"', '"format": "lenght"'] },
  { what: 'a column of a hook', code: 'MODEL_HOOK_COLUMN', file: HOOK, edit: ['"room_title"', '"room_titel"'] },
  {
    what: 'a column that a hook names twice',
    code: 'MODEL_HOOK_FIELD_TWICE',
    file: HOOK,
    edit: ['"room_title"', '"room_title", "room_title"'],
  },
  { what: 'an operator of a hook', code: 'MODEL_HOOK_OPERATOR', file: HOOK, edit: ['"gte"', '"get"'] },
  {
    what: 'a flag that a type cannot have',
    code: 'MODEL_FIELD_FLAG',
    file: ROOM,
    edit: ['"type": "tag"', '"type": "tag", "sortable": true'],
  },
  {
    what: 'a unique value that nothing stores',
    code: 'MODEL_FIELD_FLAG',
    file: ROOM,
    edit: ['"type": "computed"', '"type": "computed", "unique": true'],
  },
  {
    what: 'a key without an effect on a field',
    code: 'MODEL_FIELD_KEY_IDLE',
    file: ROOM,
    edit: ['"type": "computed"', '"type": "computed", "default": 4'],
  },
  {
    what: 'a key without an effect on a call',
    code: 'MODEL_CALL_KEY_IDLE',
    file: CALL,
    edit: ['"method": "get"', '"method": "get", "concurrency": "required"'],
  },
  {
    what: 'own on a public call',
    code: 'MODEL_CALL_OWN_IDLE',
    file: CALL,
    edit: ['"method": "get"', '"method": "get", "own": true'],
  },
  {
    what: 'a rule that is there twice',
    code: 'MODEL_UNIQUE_TWICE',
    file: ROOM,
    edit: [/"unique": \[\s*(\{[^}]*\})\s*\]/, '"unique": [$1, $1]'],
  },
  {
    what: 'a field that is there twice',
    code: 'MODEL_FIELD_DUPLICATE',
    file: ROOM,
    edit: [/(\{[^{}]*"name": "from"[^{}]*\}),/, '$1, $1,'],
  },
  {
    what: 'a former name that is the name',
    code: 'MODEL_SCHEMA_WAS',
    file: ROOM,
    edit: ['"singular"', '"was": "room", "singular"'],
  },
];
