import * as z from 'zod';
export declare const Settings: z.ZodObject<{
    $schema: z.ZodOptional<z.ZodString>;
    name: z.ZodDefault<z.ZodString>;
    home: z.ZodDefault<z.ZodString>;
    api: z.ZodDefault<z.ZodBoolean>;
    database: z.ZodPrefault<z.ZodObject<{
        url: z.ZodDefault<z.ZodString>;
    }, z.core.$strict>>;
    server: z.ZodPrefault<z.ZodObject<{
        baseUrl: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        trustProxy: z.ZodDefault<z.ZodBoolean>;
        bodyBytes: z.ZodDefault<z.ZodNumber>;
        uploadBytes: z.ZodDefault<z.ZodNumber>;
        cors: z.ZodDefault<z.ZodArray<z.ZodString>>;
        metrics: z.ZodDefault<z.ZodEnum<{
            loopback: "loopback";
            off: "off";
            token: "token";
        }>>;
        drainSeconds: z.ZodDefault<z.ZodNumber>;
    }, z.core.$strict>>;
    session: z.ZodPrefault<z.ZodObject<{
        idleSeconds: z.ZodDefault<z.ZodNumber>;
    }, z.core.$strict>>;
    auth: z.ZodPrefault<z.ZodObject<{
        verify: z.ZodDefault<z.ZodBoolean>;
        signup: z.ZodDefault<z.ZodBoolean>;
        providers: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodObject<{
            label: z.ZodOptional<z.ZodString>;
            issuer: z.ZodOptional<z.ZodString>;
            clientId: z.ZodString;
            scope: z.ZodOptional<z.ZodString>;
            authorizeUrl: z.ZodOptional<z.ZodString>;
            tokenUrl: z.ZodOptional<z.ZodString>;
            userUrl: z.ZodOptional<z.ZodString>;
            emailsUrl: z.ZodOptional<z.ZodString>;
            keys: z.ZodOptional<z.ZodObject<{
                id: z.ZodOptional<z.ZodString>;
                name: z.ZodOptional<z.ZodString>;
                email: z.ZodOptional<z.ZodString>;
                verified: z.ZodOptional<z.ZodString>;
            }, z.core.$strict>>;
            clientAuth: z.ZodOptional<z.ZodEnum<{
                basic: "basic";
                post: "post";
            }>>;
            trustEmail: z.ZodOptional<z.ZodBoolean>;
            allowPrivate: z.ZodOptional<z.ZodArray<z.ZodString>>;
        }, z.core.$strict>>>;
    }, z.core.$strict>>;
    oauth: z.ZodPrefault<z.ZodObject<{
        mode: z.ZodDefault<z.ZodEnum<{
            classic: "classic";
            standard: "standard";
            strict: "strict";
        }>>;
        codeSeconds: z.ZodDefault<z.ZodNumber>;
        accessSeconds: z.ZodDefault<z.ZodNumber>;
        classicAccessSeconds: z.ZodDefault<z.ZodNumber>;
    }, z.core.$strict>>;
    webhook: z.ZodPrefault<z.ZodObject<{
        allowPrivate: z.ZodDefault<z.ZodArray<z.ZodString>>;
        timeoutSeconds: z.ZodDefault<z.ZodNumber>;
    }, z.core.$strict>>;
    limits: z.ZodPrefault<z.ZodObject<{
        perMinute: z.ZodDefault<z.ZodNumber>;
        pageRows: z.ZodDefault<z.ZodNumber>;
        maxPageRows: z.ZodDefault<z.ZodNumber>;
        expandRows: z.ZodDefault<z.ZodNumber>;
        readSeconds: z.ZodDefault<z.ZodNumber>;
        connections: z.ZodDefault<z.ZodNumber>;
    }, z.core.$strict>>;
    admin: z.ZodPrefault<z.ZodObject<{
        write: z.ZodDefault<z.ZodBoolean>;
    }, z.core.$strict>>;
}, z.core.$strict>;
export type Settings = z.infer<typeof Settings>;
/** Settings as in a file: everything with a default may be missing. */
export type SettingsInput = z.input<typeof Settings>;
