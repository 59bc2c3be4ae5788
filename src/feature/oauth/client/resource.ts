/** Paths of a resource that this server has: itself and its API. */
const PATH = /^\/(?:rest(?:\/.*)?)?$/;

/** Whether an app asks for tokens of this server only. An empty parameter counts as missing. @see RFC 8707 section 2 */
export function areOwnResources(baseUrl: string, resources: readonly string[]): boolean {
  const own = new URL(baseUrl);
  return resources
    .filter((resource) => resource !== '')
    .every((resource) => {
      if (!URL.canParse(resource) || resource.includes('#')) return false;
      const { origin, pathname, search } = new URL(resource);
      return origin === own.origin && search === '' && PATH.test(pathname);
    });
}
