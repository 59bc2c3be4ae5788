import type { Chance } from './random.ts';

const split = (text: string): readonly string[] => text.split(' ');

const ADJECTIVES = split(
  'amber brave calm clear crisp dusty early faint gentle hollow idle keen late mellow narrow open pale quiet round silver tall upper vivid warm young',
);
const NOUNS = split(
  'anchor basket bridge candle cedar copper door ember field garden harbour island kettle ladder lantern loom meadow mirror needle orchard paper quarry river shuttle stone table thread valley wagon window',
);
const VERBS = split(
  'binds carries crosses finds folds follows gathers holds keeps leaves marks meets mends moves opens reaches shapes turns weighs',
);
const FIRST = split(
  'Ada Amir Bela Chen Dara Eli Fatou Goran Hana Ines Jonas Kofi Lena Mateo Nadia Omar Petra Quinn Rosa Sami Tara Uma Viktor Wen Yara Zoe',
);
const LAST = split(
  'Abara Berg Costa Duval Ekström Farouk Grant Haas Ito Jansen Kaya Lindo Moreau Novak Okoro Petrov Quist Rossi Silva Tanaka Ursu Varga Weaver Xu Yilmaz Zeman',
);
const PLACES = split(
  'Northmere Oldbridge Westhaven Stonefield Eastwick Millbrook Redharbour Whitford Greenvale Highmoor',
);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Two words for a thing. */
export const toThing = (chance: Chance): string => `${chance.pick(ADJECTIVES)} ${chance.pick(NOUNS)}`;
export const toWord = (chance: Chance): string => chance.pick(chance.happens(0.5) ? NOUNS : ADJECTIVES);
export const toFirstName = (chance: Chance): string => chance.pick(FIRST);
export const toLastName = (chance: Chance): string => chance.pick(LAST);
export const toPlace = (chance: Chance): string => chance.pick(PLACES);

export function toSentence(chance: Chance): string {
  const tail = chance.happens(0.5) ? ` by the ${toThing(chance)}` : '';
  return `${capital(`the ${toThing(chance)}`)} ${chance.pick(VERBS)} the ${toThing(chance)}${tail}.`;
}

export const toParagraph = (chance: Chance): string =>
  Array.from({ length: chance.whole(2, 5) }, () => toSentence(chance)).join(' ');

export const toTitle = (chance: Chance): string => capital(`${toThing(chance)} and ${toThing(chance)}`);

/** This number of words, with a capital letter first. */
export const makeWords = (chance: Chance, count: number): string =>
  capital(Array.from({ length: count }, () => toWord(chance)).join(' '));

/** ASCII letters of a name, for e-mail addresses. */
export const toAscii = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '')
    .toLowerCase();
