/** Name of the cookie that keeps the language which a visitor chose. Its value is a tag, such as `de`. */
export const LANGUAGE_COOKIE = 'language';
