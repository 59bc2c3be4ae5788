import { Pointer } from './_hand.ts';
import { toSuite } from './_walk.ts';

toSuite({
  name: 'by clicks, 390 pixels wide',
  width: 390,
  hasScripts: true,
  isShort: true,
  // The colours are those of a wide window.
  schemes: ['light'],
  make: (page) => new Pointer(page),
}).run();
