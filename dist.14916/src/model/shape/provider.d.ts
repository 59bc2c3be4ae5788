import * as z from 'zod';
/** Sign-in providers by name. `google`, `microsoft` and `github` need a `clientId` only. */
export declare const Providers: z.ZodRecord<z.ZodString, z.ZodObject<{
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
}, z.core.$strict>>;
