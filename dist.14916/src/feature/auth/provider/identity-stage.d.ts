import type { Request } from '../../../core/request.ts';
import type { Row } from '../../../database/database.ts';
import type { Identity } from './identity.ts';
/** Stage keys of an identity. */
export declare const IDENTITY_STAGE: {
    readonly provider: 'Name of the provider in the settings.';
    readonly issuer: 'The provider, as it names itself.';
    readonly subject: "The user's key there. Issuer and subject together name the user.";
    readonly email: 'E-mail, if the provider tells it.';
    readonly email_verified: '1 if the provider says that the e-mail belongs to the user.';
    readonly name: 'Name, if the provider tells it.';
};
export declare const toIdentityStage: ({ provider, issuer, subject, email, isVerified, name }: Identity) => Row;
/**
 * The identity that code put into the stage. Undefined if something is missing, or if any of it came with the request:
 * whoever could send an identity could open every account.
 */
export declare function parseIdentity(request: Request): Identity | undefined;
