import type { Request } from '../../core/request.ts';
import type { Row } from '../../database/database.ts';
import type { ColumnModel, Model } from '../../model/model.ts';
/** The profile's own required columns, which a sign-up must fill. The name has a place of its own. */
export declare function listSignupColumns({ schemas }: Model): readonly ColumnModel[];
/** The columns as a form shows them, with what was typed. */
export declare function toSignupFields(model: Model, request: Request): readonly Row[];
