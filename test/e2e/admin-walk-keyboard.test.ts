import { Keyboard } from './_keyboard.ts';
import { toSuite } from './_walk.ts';

toSuite({
  name: 'by the keyboard alone',
  width: 1280,
  hasScripts: true,
  isShort: true,
  // Its pages are those of the pointer.
  schemes: [],
  make: (page) => new Keyboard(page),
}).run();
