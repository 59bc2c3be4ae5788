import { Pointer } from './_hand.ts';
import { toSuite } from './_walk.ts';

toSuite({
  name: 'by clicks, 1280 pixels wide',
  width: 1280,
  hasScripts: true,
  isShort: false,
  schemes: ['dark', 'light'],
  make: (page) => new Pointer(page),
}).run();
