import type { Request } from '../core/request/request.ts';
import type { Model } from '../model/model.ts';
import type { Assets } from '../project/asset.ts';

/** What helpers show besides the data of a template. Without a source, its helpers do less. */
export interface HelperSources {
  /** Static files. Without them, `asset` gives the path as it is. */
  readonly assets?: Assets;
  /** Whether `sharp` is installed, which makes sizes of images. Without this source, nobody asks. */
  readonly hasSharp?: () => boolean;
  /** The model that the templates belong to; undefined while definitions are broken. */
  readonly model?: () => Model | undefined;
  /** The token of a person's forms; empty for a visitor without a session. */
  readonly formToken?: (request: Request) => string;
  /** Renders one of Treadle's own templates, such as `helper/pager`. */
  readonly renderPart?: (name: string, data: object) => string;
}
