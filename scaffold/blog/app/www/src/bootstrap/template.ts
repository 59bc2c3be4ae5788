import type { Package } from 'treadle';

/**
 * Adds the virtual method `template` to this package: `app.package('/app/www').template('article/search', { rows })`.
 */
export default function template(www: Package) {
  www.method('template', (name: string, data: object) => www.view(name, data));
}
