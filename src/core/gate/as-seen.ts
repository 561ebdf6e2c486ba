const plain = /^[\n\t\u0020-\u007e]*$/;

/** A text as its reader takes it: without characters that are not seen, and in the ordinary form of letters. */
export function asSeen(text: string): string {
  if (plain.test(text)) return text;
  return text.normalize('NFKC').replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '');
}
