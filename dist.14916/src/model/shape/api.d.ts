import * as z from 'zod';
export declare const ACCESS: readonly ['public', 'app', 'user'];
export type Access = (typeof ACCESS)[number];
export declare const REST_METHODS: readonly ['all', 'get', 'post', 'put', 'patch', 'delete'];
export type RestMethod = (typeof REST_METHODS)[number];
export declare const HOOK_FORMATS: readonly ['standard', 'cloudevents-structured', 'cloudevents-binary'];
export type HookFormat = (typeof HOOK_FORMATS)[number];
/** Parameters of a search that group rows. */
export declare const AGGREGATES: readonly ['group', 'sum', 'count'];
export declare const Rest: z.ZodObject<{
    $schema: z.ZodOptional<z.ZodString>;
    title: z.ZodString;
    access: z.ZodEnum<{
        app: "app";
        public: "public";
        user: "user";
    }>;
    method: z.ZodEnum<{
        all: "all";
        delete: "delete";
        get: "get";
        patch: "patch";
        post: "post";
        put: "put";
    }>;
    path: z.ZodString;
    event: z.ZodString;
    parameters: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    description: z.ZodOptional<z.ZodString>;
    own: z.ZodOptional<z.ZodBoolean>;
    open: z.ZodOptional<z.ZodBoolean>;
    aggregate: z.ZodOptional<z.ZodArray<z.ZodEnum<{
        count: "count";
        group: "group";
        sum: "sum";
    }>>>;
    removed: z.ZodOptional<z.ZodBoolean>;
    concurrency: z.ZodOptional<z.ZodEnum<{
        optional: "optional";
        required: "required";
    }>>;
    maxAge: z.ZodOptional<z.ZodNumber>;
    deprecated: z.ZodOptional<z.ZodISODate>;
    sunset: z.ZodOptional<z.ZodISODate>;
}, z.core.$strict>;
export type Rest = z.infer<typeof Rest>;
export declare const Scope: z.ZodObject<{
    $schema: z.ZodOptional<z.ZodString>;
    slug: z.ZodString;
    name: z.ZodString;
    access: z.ZodEnum<{
        app: "app";
        user: "user";
    }>;
    description: z.ZodOptional<z.ZodString>;
    approval: z.ZodOptional<z.ZodBoolean>;
    calls: z.ZodArray<z.ZodString>;
}, z.core.$strict>;
export type Scope = z.infer<typeof Scope>;
export declare const Hook: z.ZodObject<{
    $schema: z.ZodOptional<z.ZodString>;
    title: z.ZodString;
    event: z.ZodString;
    parameters: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    fields: z.ZodOptional<z.ZodArray<z.ZodString>>;
    type: z.ZodString;
    audience: z.ZodOptional<z.ZodEnum<{
        app: "app";
        user: "user";
    }>>;
    approval: z.ZodOptional<z.ZodBoolean>;
    method: z.ZodOptional<z.ZodEnum<{
        post: "post";
        put: "put";
    }>>;
    format: z.ZodOptional<z.ZodEnum<{
        "cloudevents-binary": "cloudevents-binary";
        "cloudevents-structured": "cloudevents-structured";
        standard: "standard";
    }>>;
    url: z.ZodOptional<z.ZodString>;
    delivery: z.ZodOptional<z.ZodEnum<{
        inline: "inline";
        queued: "queued";
    }>>;
    secretVersion: z.ZodOptional<z.ZodNumber>;
    secretName: z.ZodOptional<z.ZodString>;
    description: z.ZodOptional<z.ZodString>;
}, z.core.$strict>;
export type Hook = z.infer<typeof Hook>;
export declare const App: z.ZodObject<{
    $schema: z.ZodOptional<z.ZodString>;
    title: z.ZodString;
    clientId: z.ZodString;
    secretHash: z.ZodOptional<z.ZodString>;
    owner: z.ZodOptional<z.ZodString>;
    website: z.ZodOptional<z.ZodString>;
    redirectUris: z.ZodOptional<z.ZodArray<z.ZodString>>;
    origins: z.ZodOptional<z.ZodArray<z.ZodString>>;
    scopes: z.ZodOptional<z.ZodArray<z.ZodString>>;
    webhook: z.ZodOptional<z.ZodString>;
    hooks: z.ZodOptional<z.ZodArray<z.ZodString>>;
    secretVersion: z.ZodOptional<z.ZodNumber>;
    rememberConsent: z.ZodOptional<z.ZodBoolean>;
    pkce: z.ZodOptional<z.ZodEnum<{
        optional: "optional";
        required: "required";
    }>>;
    unknownScopes: z.ZodOptional<z.ZodEnum<{
        ignore: "ignore";
        refuse: "refuse";
    }>>;
}, z.core.$strict>;
export type App = z.infer<typeof App>;
declare const RoleRule: z.ZodUnion<readonly [z.ZodBoolean, z.ZodObject<{
    filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    check: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    read: z.ZodOptional<z.ZodArray<z.ZodString>>;
    write: z.ZodOptional<z.ZodArray<z.ZodString>>;
}, z.core.$strict>]>;
export declare const Role: z.ZodObject<{
    $schema: z.ZodOptional<z.ZodString>;
    slug: z.ZodString;
    name: z.ZodString;
    secondFactor: z.ZodOptional<z.ZodEnum<{
        optional: "optional";
        required: "required";
    }>>;
    permissions: z.ZodArray<z.ZodObject<{
        method: z.ZodEnum<{
            all: "all";
            delete: "delete";
            get: "get";
            patch: "patch";
            post: "post";
            put: "put";
        }>;
        path: z.ZodString;
    }, z.core.$strict>>;
    data: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodObject<{
        search: z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, z.ZodObject<{
            filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            check: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            read: z.ZodOptional<z.ZodArray<z.ZodString>>;
            write: z.ZodOptional<z.ZodArray<z.ZodString>>;
        }, z.core.$strict>]>>;
        detail: z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, z.ZodObject<{
            filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            check: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            read: z.ZodOptional<z.ZodArray<z.ZodString>>;
            write: z.ZodOptional<z.ZodArray<z.ZodString>>;
        }, z.core.$strict>]>>;
        create: z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, z.ZodObject<{
            filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            check: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            read: z.ZodOptional<z.ZodArray<z.ZodString>>;
            write: z.ZodOptional<z.ZodArray<z.ZodString>>;
        }, z.core.$strict>]>>;
        update: z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, z.ZodObject<{
            filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            check: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            read: z.ZodOptional<z.ZodArray<z.ZodString>>;
            write: z.ZodOptional<z.ZodArray<z.ZodString>>;
        }, z.core.$strict>]>>;
        remove: z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, z.ZodObject<{
            filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            check: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            read: z.ZodOptional<z.ZodArray<z.ZodString>>;
            write: z.ZodOptional<z.ZodArray<z.ZodString>>;
        }, z.core.$strict>]>>;
        restore: z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, z.ZodObject<{
            filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            check: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            read: z.ZodOptional<z.ZodArray<z.ZodString>>;
            write: z.ZodOptional<z.ZodArray<z.ZodString>>;
        }, z.core.$strict>]>>;
        import: z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, z.ZodObject<{
            filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            check: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            read: z.ZodOptional<z.ZodArray<z.ZodString>>;
            write: z.ZodOptional<z.ZodArray<z.ZodString>>;
        }, z.core.$strict>]>>;
        link: z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, z.ZodObject<{
            filter: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            check: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
            read: z.ZodOptional<z.ZodArray<z.ZodString>>;
            write: z.ZodOptional<z.ZodArray<z.ZodString>>;
        }, z.core.$strict>]>>;
    }, z.core.$strict>>>;
}, z.core.$strict>;
export type Role = z.infer<typeof Role>;
export type RoleRule = z.infer<typeof RoleRule>;
export {};
