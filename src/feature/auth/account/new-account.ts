import { AttachedValue } from '../../../core/attached.ts';
import type { Request } from '../../../core/request/request.ts';

/** How a sign-up by a provider differs from one by a form. */
export interface ProviderSignup {
  /** False if the account has no password: only the provider opens it. */
  readonly hasPassword: boolean;
  /** Whether the provider says that the e-mail belongs to the user. */
  readonly isVerified: boolean;
  /** Links the provider, in the transaction that creates the account. */
  readonly link: (authId: number) => Promise<void>;
}

const signups = new AttachedValue<Request, ProviderSignup>();

/** Marks the request of an `auth-create`. No stage can: anybody who may create accounts could then name a provider's user. */
export const markProviderSignup = (request: Request, signup: ProviderSignup): void => signups.set(request, signup);

export const findProviderSignup = (request: Request): ProviderSignup | undefined => signups.get(request);
