/** First segments of the paths that Treadle answers. */
const OWN = /^\/(?:__treadle|admin|auth|dialog|developer|health|metrics|oauth|rest|\.well-known)(?:\/|$)/i;

/** True for a path in a section of Treadle: neither its policy nor its 404 is a matter of a project's front end. */
export const isOwnSection = (path: string): boolean => OWN.test(path);
