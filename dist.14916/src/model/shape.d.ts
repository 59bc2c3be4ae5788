import './shape/jitless.ts';
import { App, Hook, Rest, Role, Scope } from './shape/api.ts';
import { Fieldset, Schema } from './shape/schema.ts';
import { Settings } from './shape/settings.ts';
export type { RoleRule } from './shape/api.ts';
export { ACCESS, type Access, AGGREGATES, HOOK_FORMATS, type HookFormat, REST_METHODS, type RestMethod, } from './shape/api.ts';
export { FIELD_TYPES, Field, type FieldType, Format, RELATION_KINDS, Relation, type RelationKind, type Unique, Validation, } from './shape/schema.ts';
export type { SettingsInput } from './shape/settings.ts';
export { App, Fieldset, Hook, Rest, Role, Schema, Scope, Settings };
/** Kinds of definition. Each has a folder of that name under `config/`; `settings` is a single file. */
export declare const DEFINITION_KINDS: readonly ['schema', 'fieldset', 'rest', 'scope', 'webhook', 'app', 'role'];
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];
export type FileKind = DefinitionKind | 'settings';
/** The shape of each kind. Type, validation, JSON Schema, prompts and reference page come from it. */
export declare const SHAPES: {
    readonly settings: import("zod").ZodObject<{
        $schema: import("zod").ZodOptional<import("zod").ZodString>;
        name: import("zod").ZodDefault<import("zod").ZodString>;
        home: import("zod").ZodDefault<import("zod").ZodString>;
        api: import("zod").ZodDefault<import("zod").ZodBoolean>;
        database: import("zod").ZodPrefault<import("zod").ZodObject<{
            url: import("zod").ZodDefault<import("zod").ZodString>;
        }, import("zod/v4/core").$strict>>;
        server: import("zod").ZodPrefault<import("zod").ZodObject<{
            baseUrl: import("zod").ZodDefault<import("zod").ZodNullable<import("zod").ZodString>>;
            trustProxy: import("zod").ZodDefault<import("zod").ZodBoolean>;
            bodyBytes: import("zod").ZodDefault<import("zod").ZodNumber>;
            uploadBytes: import("zod").ZodDefault<import("zod").ZodNumber>;
            cors: import("zod").ZodDefault<import("zod").ZodArray<import("zod").ZodString>>;
            metrics: import("zod").ZodDefault<import("zod").ZodEnum<{
                loopback: "loopback";
                off: "off";
                token: "token";
            }>>;
            drainSeconds: import("zod").ZodDefault<import("zod").ZodNumber>;
        }, import("zod/v4/core").$strict>>;
        session: import("zod").ZodPrefault<import("zod").ZodObject<{
            idleSeconds: import("zod").ZodDefault<import("zod").ZodNumber>;
        }, import("zod/v4/core").$strict>>;
        auth: import("zod").ZodPrefault<import("zod").ZodObject<{
            verify: import("zod").ZodDefault<import("zod").ZodBoolean>;
            signup: import("zod").ZodDefault<import("zod").ZodBoolean>;
            providers: import("zod").ZodDefault<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodObject<{
                label: import("zod").ZodOptional<import("zod").ZodString>;
                issuer: import("zod").ZodOptional<import("zod").ZodString>;
                clientId: import("zod").ZodString;
                scope: import("zod").ZodOptional<import("zod").ZodString>;
                authorizeUrl: import("zod").ZodOptional<import("zod").ZodString>;
                tokenUrl: import("zod").ZodOptional<import("zod").ZodString>;
                userUrl: import("zod").ZodOptional<import("zod").ZodString>;
                emailsUrl: import("zod").ZodOptional<import("zod").ZodString>;
                keys: import("zod").ZodOptional<import("zod").ZodObject<{
                    id: import("zod").ZodOptional<import("zod").ZodString>;
                    name: import("zod").ZodOptional<import("zod").ZodString>;
                    email: import("zod").ZodOptional<import("zod").ZodString>;
                    verified: import("zod").ZodOptional<import("zod").ZodString>;
                }, import("zod/v4/core").$strict>>;
                clientAuth: import("zod").ZodOptional<import("zod").ZodEnum<{
                    basic: "basic";
                    post: "post";
                }>>;
                trustEmail: import("zod").ZodOptional<import("zod").ZodBoolean>;
                allowPrivate: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            }, import("zod/v4/core").$strict>>>;
        }, import("zod/v4/core").$strict>>;
        oauth: import("zod").ZodPrefault<import("zod").ZodObject<{
            mode: import("zod").ZodDefault<import("zod").ZodEnum<{
                classic: "classic";
                standard: "standard";
                strict: "strict";
            }>>;
            codeSeconds: import("zod").ZodDefault<import("zod").ZodNumber>;
            accessSeconds: import("zod").ZodDefault<import("zod").ZodNumber>;
            classicAccessSeconds: import("zod").ZodDefault<import("zod").ZodNumber>;
        }, import("zod/v4/core").$strict>>;
        webhook: import("zod").ZodPrefault<import("zod").ZodObject<{
            allowPrivate: import("zod").ZodDefault<import("zod").ZodArray<import("zod").ZodString>>;
            timeoutSeconds: import("zod").ZodDefault<import("zod").ZodNumber>;
        }, import("zod/v4/core").$strict>>;
        limits: import("zod").ZodPrefault<import("zod").ZodObject<{
            perMinute: import("zod").ZodDefault<import("zod").ZodNumber>;
            pageRows: import("zod").ZodDefault<import("zod").ZodNumber>;
            maxPageRows: import("zod").ZodDefault<import("zod").ZodNumber>;
            expandRows: import("zod").ZodDefault<import("zod").ZodNumber>;
            readSeconds: import("zod").ZodDefault<import("zod").ZodNumber>;
            connections: import("zod").ZodDefault<import("zod").ZodNumber>;
        }, import("zod/v4/core").$strict>>;
        admin: import("zod").ZodPrefault<import("zod").ZodObject<{
            write: import("zod").ZodDefault<import("zod").ZodBoolean>;
        }, import("zod/v4/core").$strict>>;
    }, import("zod/v4/core").$strict>;
    readonly schema: import("zod").ZodObject<{
        $schema: import("zod").ZodOptional<import("zod").ZodString>;
        name: import("zod").ZodString;
        singular: import("zod").ZodString;
        plural: import("zod").ZodString;
        was: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodArray<import("zod").ZodString>]>>;
        icon: import("zod").ZodOptional<import("zod").ZodString>;
        description: import("zod").ZodOptional<import("zod").ZodString>;
        display: import("zod").ZodOptional<import("zod").ZodString>;
        fields: import("zod").ZodArray<import("zod").ZodObject<{
            name: import("zod").ZodString;
            label: import("zod").ZodOptional<import("zod").ZodString>;
            type: import("zod").ZodEnum<{
                active: "active";
                checkbox: "checkbox";
                checkboxes: "checkboxes";
                code: "code";
                color: "color";
                countrylist: "countrylist";
                created: "created";
                date: "date";
                datetime: "datetime";
                email: "email";
                fieldset: "fieldset";
                file: "file";
                filelist: "filelist";
                float: "float";
                image: "image";
                imagelist: "imagelist";
                ipaddress: "ipaddress";
                latlng: "latlng";
                markdown: "markdown";
                mask: "mask";
                meta: "meta";
                month: "month";
                multirange: "multirange";
                multiselect: "multiselect";
                none: "none";
                number: "number";
                password: "password";
                price: "price";
                radios: "radios";
                range: "range";
                rawjson: "rawjson";
                search: "search";
                select: "select";
                slug: "slug";
                small: "small";
                stars: "stars";
                switch: "switch";
                table: "table";
                tag: "tag";
                text: "text";
                textarea: "textarea";
                textarealist: "textarealist";
                textlist: "textlist";
                time: "time";
                updated: "updated";
                url: "url";
                uuid: "uuid";
                week: "week";
                wysiwyg: "wysiwyg";
                wysiwyglist: "wysiwyglist";
            }>;
            was: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodArray<import("zod").ZodString>]>>;
            description: import("zod").ZodOptional<import("zod").ZodString>;
            attributes: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber, import("zod").ZodBoolean]>>>;
            options: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                key: import("zod").ZodString;
                value: import("zod").ZodString;
            }, import("zod/v4/core").$strict>>>;
            columns: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            fieldset: import("zod").ZodOptional<import("zod").ZodString>;
            multiple: import("zod").ZodOptional<import("zod").ZodBoolean>;
            default: import("zod").ZodOptional<import("zod").ZodUnknown>;
            required: import("zod").ZodOptional<import("zod").ZodBoolean>;
            unique: import("zod").ZodOptional<import("zod").ZodBoolean>;
            searchable: import("zod").ZodOptional<import("zod").ZodBoolean>;
            filterable: import("zod").ZodOptional<import("zod").ZodBoolean>;
            sortable: import("zod").ZodOptional<import("zod").ZodBoolean>;
            validation: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                method: import("zod").ZodString;
                parameters: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber, import("zod").ZodArray<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber]>>]>>;
                message: import("zod").ZodOptional<import("zod").ZodString>;
            }, import("zod/v4/core").$strict>>>;
            list: import("zod").ZodOptional<import("zod").ZodObject<{
                format: import("zod").ZodString;
                parameters: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber]>>>;
            }, import("zod/v4/core").$strict>>;
            detail: import("zod").ZodOptional<import("zod").ZodObject<{
                format: import("zod").ZodString;
                parameters: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber]>>>;
            }, import("zod/v4/core").$strict>>;
        }, import("zod/v4/core").$strict>>;
        relations: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
            schema: import("zod").ZodString;
            kind: import("zod").ZodEnum<{
                "1:0": "1:0";
                "1:1": "1:1";
                "1:N": "1:N";
                "N:N": "N:N";
            }>;
            name: import("zod").ZodOptional<import("zod").ZodString>;
            was: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodArray<import("zod").ZodString>]>>;
            onRemove: import("zod").ZodOptional<import("zod").ZodEnum<{
                cascade: "cascade";
                clear: "clear";
                restrict: "restrict";
            }>>;
        }, import("zod/v4/core").$strict>>>;
        unique: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
            columns: import("zod").ZodArray<import("zod").ZodString>;
            message: import("zod").ZodOptional<import("zod").ZodString>;
        }, import("zod/v4/core").$strict>>>;
    }, import("zod/v4/core").$strict>;
    readonly fieldset: import("zod").ZodObject<{
        $schema: import("zod").ZodOptional<import("zod").ZodString>;
        name: import("zod").ZodString;
        singular: import("zod").ZodString;
        plural: import("zod").ZodString;
        fields: import("zod").ZodArray<import("zod").ZodObject<{
            name: import("zod").ZodString;
            label: import("zod").ZodOptional<import("zod").ZodString>;
            type: import("zod").ZodEnum<{
                active: "active";
                checkbox: "checkbox";
                checkboxes: "checkboxes";
                code: "code";
                color: "color";
                countrylist: "countrylist";
                created: "created";
                date: "date";
                datetime: "datetime";
                email: "email";
                fieldset: "fieldset";
                file: "file";
                filelist: "filelist";
                float: "float";
                image: "image";
                imagelist: "imagelist";
                ipaddress: "ipaddress";
                latlng: "latlng";
                markdown: "markdown";
                mask: "mask";
                meta: "meta";
                month: "month";
                multirange: "multirange";
                multiselect: "multiselect";
                none: "none";
                number: "number";
                password: "password";
                price: "price";
                radios: "radios";
                range: "range";
                rawjson: "rawjson";
                search: "search";
                select: "select";
                slug: "slug";
                small: "small";
                stars: "stars";
                switch: "switch";
                table: "table";
                tag: "tag";
                text: "text";
                textarea: "textarea";
                textarealist: "textarealist";
                textlist: "textlist";
                time: "time";
                updated: "updated";
                url: "url";
                uuid: "uuid";
                week: "week";
                wysiwyg: "wysiwyg";
                wysiwyglist: "wysiwyglist";
            }>;
            was: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodArray<import("zod").ZodString>]>>;
            description: import("zod").ZodOptional<import("zod").ZodString>;
            attributes: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber, import("zod").ZodBoolean]>>>;
            options: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                key: import("zod").ZodString;
                value: import("zod").ZodString;
            }, import("zod/v4/core").$strict>>>;
            columns: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            fieldset: import("zod").ZodOptional<import("zod").ZodString>;
            multiple: import("zod").ZodOptional<import("zod").ZodBoolean>;
            default: import("zod").ZodOptional<import("zod").ZodUnknown>;
            required: import("zod").ZodOptional<import("zod").ZodBoolean>;
            unique: import("zod").ZodOptional<import("zod").ZodBoolean>;
            searchable: import("zod").ZodOptional<import("zod").ZodBoolean>;
            filterable: import("zod").ZodOptional<import("zod").ZodBoolean>;
            sortable: import("zod").ZodOptional<import("zod").ZodBoolean>;
            validation: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                method: import("zod").ZodString;
                parameters: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber, import("zod").ZodArray<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber]>>]>>;
                message: import("zod").ZodOptional<import("zod").ZodString>;
            }, import("zod/v4/core").$strict>>>;
            list: import("zod").ZodOptional<import("zod").ZodObject<{
                format: import("zod").ZodString;
                parameters: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber]>>>;
            }, import("zod/v4/core").$strict>>;
            detail: import("zod").ZodOptional<import("zod").ZodObject<{
                format: import("zod").ZodString;
                parameters: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodUnion<readonly [import("zod").ZodString, import("zod").ZodNumber]>>>;
            }, import("zod/v4/core").$strict>>;
        }, import("zod/v4/core").$strict>>;
    }, import("zod/v4/core").$strict>;
    readonly rest: import("zod").ZodObject<{
        $schema: import("zod").ZodOptional<import("zod").ZodString>;
        title: import("zod").ZodString;
        access: import("zod").ZodEnum<{
            app: "app";
            public: "public";
            user: "user";
        }>;
        method: import("zod").ZodEnum<{
            all: "all";
            delete: "delete";
            get: "get";
            patch: "patch";
            post: "post";
            put: "put";
        }>;
        path: import("zod").ZodString;
        event: import("zod").ZodString;
        parameters: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
        description: import("zod").ZodOptional<import("zod").ZodString>;
        own: import("zod").ZodOptional<import("zod").ZodBoolean>;
        open: import("zod").ZodOptional<import("zod").ZodBoolean>;
        aggregate: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodEnum<{
            count: "count";
            group: "group";
            sum: "sum";
        }>>>;
        removed: import("zod").ZodOptional<import("zod").ZodBoolean>;
        concurrency: import("zod").ZodOptional<import("zod").ZodEnum<{
            optional: "optional";
            required: "required";
        }>>;
        maxAge: import("zod").ZodOptional<import("zod").ZodNumber>;
        deprecated: import("zod").ZodOptional<import("zod").ZodISODate>;
        sunset: import("zod").ZodOptional<import("zod").ZodISODate>;
    }, import("zod/v4/core").$strict>;
    readonly scope: import("zod").ZodObject<{
        $schema: import("zod").ZodOptional<import("zod").ZodString>;
        slug: import("zod").ZodString;
        name: import("zod").ZodString;
        access: import("zod").ZodEnum<{
            app: "app";
            user: "user";
        }>;
        description: import("zod").ZodOptional<import("zod").ZodString>;
        approval: import("zod").ZodOptional<import("zod").ZodBoolean>;
        calls: import("zod").ZodArray<import("zod").ZodString>;
    }, import("zod/v4/core").$strict>;
    readonly webhook: import("zod").ZodObject<{
        $schema: import("zod").ZodOptional<import("zod").ZodString>;
        title: import("zod").ZodString;
        event: import("zod").ZodString;
        parameters: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
        filter: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
        fields: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
        type: import("zod").ZodString;
        audience: import("zod").ZodOptional<import("zod").ZodEnum<{
            app: "app";
            user: "user";
        }>>;
        approval: import("zod").ZodOptional<import("zod").ZodBoolean>;
        method: import("zod").ZodOptional<import("zod").ZodEnum<{
            post: "post";
            put: "put";
        }>>;
        format: import("zod").ZodOptional<import("zod").ZodEnum<{
            "cloudevents-binary": "cloudevents-binary";
            "cloudevents-structured": "cloudevents-structured";
            standard: "standard";
        }>>;
        url: import("zod").ZodOptional<import("zod").ZodString>;
        delivery: import("zod").ZodOptional<import("zod").ZodEnum<{
            inline: "inline";
            queued: "queued";
        }>>;
        secretVersion: import("zod").ZodOptional<import("zod").ZodNumber>;
        secretName: import("zod").ZodOptional<import("zod").ZodString>;
        description: import("zod").ZodOptional<import("zod").ZodString>;
    }, import("zod/v4/core").$strict>;
    readonly app: import("zod").ZodObject<{
        $schema: import("zod").ZodOptional<import("zod").ZodString>;
        title: import("zod").ZodString;
        clientId: import("zod").ZodString;
        secretHash: import("zod").ZodOptional<import("zod").ZodString>;
        owner: import("zod").ZodOptional<import("zod").ZodString>;
        website: import("zod").ZodOptional<import("zod").ZodString>;
        redirectUris: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
        origins: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
        scopes: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
        webhook: import("zod").ZodOptional<import("zod").ZodString>;
        hooks: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
        secretVersion: import("zod").ZodOptional<import("zod").ZodNumber>;
        rememberConsent: import("zod").ZodOptional<import("zod").ZodBoolean>;
        pkce: import("zod").ZodOptional<import("zod").ZodEnum<{
            optional: "optional";
            required: "required";
        }>>;
        unknownScopes: import("zod").ZodOptional<import("zod").ZodEnum<{
            ignore: "ignore";
            refuse: "refuse";
        }>>;
    }, import("zod/v4/core").$strict>;
    readonly role: import("zod").ZodObject<{
        $schema: import("zod").ZodOptional<import("zod").ZodString>;
        slug: import("zod").ZodString;
        name: import("zod").ZodString;
        secondFactor: import("zod").ZodOptional<import("zod").ZodEnum<{
            optional: "optional";
            required: "required";
        }>>;
        permissions: import("zod").ZodArray<import("zod").ZodObject<{
            method: import("zod").ZodEnum<{
                all: "all";
                delete: "delete";
                get: "get";
                patch: "patch";
                post: "post";
                put: "put";
            }>;
            path: import("zod").ZodString;
        }, import("zod/v4/core").$strict>>;
        data: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodObject<{
            search: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodBoolean, import("zod").ZodObject<{
                filter: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                check: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                read: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
                write: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            }, import("zod/v4/core").$strict>]>>;
            detail: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodBoolean, import("zod").ZodObject<{
                filter: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                check: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                read: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
                write: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            }, import("zod/v4/core").$strict>]>>;
            create: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodBoolean, import("zod").ZodObject<{
                filter: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                check: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                read: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
                write: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            }, import("zod/v4/core").$strict>]>>;
            update: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodBoolean, import("zod").ZodObject<{
                filter: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                check: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                read: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
                write: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            }, import("zod/v4/core").$strict>]>>;
            remove: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodBoolean, import("zod").ZodObject<{
                filter: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                check: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                read: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
                write: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            }, import("zod/v4/core").$strict>]>>;
            restore: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodBoolean, import("zod").ZodObject<{
                filter: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                check: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                read: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
                write: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            }, import("zod/v4/core").$strict>]>>;
            import: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodBoolean, import("zod").ZodObject<{
                filter: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                check: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                read: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
                write: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            }, import("zod/v4/core").$strict>]>>;
            link: import("zod").ZodOptional<import("zod").ZodUnion<readonly [import("zod").ZodBoolean, import("zod").ZodObject<{
                filter: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                check: import("zod").ZodOptional<import("zod").ZodRecord<import("zod").ZodString, import("zod").ZodUnknown>>;
                read: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
                write: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodString>>;
            }, import("zod/v4/core").$strict>]>>;
        }, import("zod/v4/core").$strict>>>;
    }, import("zod/v4/core").$strict>;
};
/** The content of each kind of definition, as written. */
export interface DefinitionOf {
    readonly settings: Settings;
    readonly schema: Schema;
    readonly fieldset: Fieldset;
    readonly rest: Rest;
    readonly scope: Scope;
    readonly webhook: Hook;
    readonly app: App;
    readonly role: Role;
}
/** The key that must equal the file's name, if the kind has one. */
export declare const NAME_KEYS: Readonly<Record<DefinitionKind, 'name' | 'slug' | undefined>>;
/** Path of a definition's file, relative to the project's root. */
export declare const toFile: (kind: FileKind, name: string) => string;
