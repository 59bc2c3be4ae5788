import { toBasePath } from '../../../core/text/base-path.ts';

/** Paths of a resource that this server has, under its base URL: itself and its API. */
const PATH = /^\/(?:rest(?:\/.*)?)?$/;

/** Whether an app asks for tokens of this server only. An empty parameter counts as missing. @see RFC 8707 section 2 */
export function areOwnResources(baseUrl: string, resources: readonly string[]): boolean {
  const own = new URL(baseUrl);
  const basePath = toBasePath(baseUrl);
  return resources
    .filter((resource) => resource !== '')
    .every((resource) => {
      if (!URL.canParse(resource) || resource.includes('#')) return false;
      const { origin, pathname, search } = new URL(resource);
      if (origin !== own.origin || search !== '' || !pathname.startsWith(basePath)) return false;
      return PATH.test(pathname.slice(basePath.length) || '/');
    });
}
