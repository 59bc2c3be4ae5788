import { translate } from '../core/text/translate.ts';

/** The texts of what the scripts of forms add, as JSON for `templates/form/words.html`. */
export const toFormWords = (): string =>
  JSON.stringify({
    nothing: translate('Nothing was found.'),
    remove: translate('Remove'),
    sending: translate('Files that were sent'),
    offline: translate('The server cannot be reached. What you typed is still here: try again.'),
    failed: translate('The server could not save this. Look whether the row is there before you try again.'),
    format: translate('Format'),
    bold: translate('Bold'),
    italic: translate('Italic'),
    heading: translate('Heading'),
    subheading: translate('Smaller heading'),
    list: translate('List'),
    numbers: translate('Numbered list'),
    quote: translate('Quote'),
    link: translate('Link'),
    address: translate('Address of the link'),
    undo: translate('Undo'),
    redo: translate('Redo'),
    html: translate('Edit the HTML'),
    table: translate('Table'),
    figure: translate('Figure'),
    iframe: translate('Video'),
    video: translate('Video'),
    audio: translate('Sound'),
    hr: translate('Dividing line'),
    other: translate('Block'),
    fixed: translate('A box stands for a part that you can move or remove here, and change in the HTML.'),
    source: translate(
      'This text has parts that the editor would change, such as a table or a figure, so it opens as HTML.',
    ),
  });
