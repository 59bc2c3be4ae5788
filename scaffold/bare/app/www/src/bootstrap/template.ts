import type { Package } from 'treadle';

/** The virtual method of this package: `app.package('/app/www').template('article/search', { rows })`. */
export default function template(www: Package) {
  www.method('template', (name: string, data: object) => www.view(name, data));
}
