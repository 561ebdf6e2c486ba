/** The skills that came with a packet, for a reader whose program does not load them by itself: what each is for, and what it says. */
import { asData, asTerms, type BriefingItem } from './item.ts';

export interface BriefSkill {
  readonly name: string;
  readonly description: string | null;
  readonly text: string;
}

export function skillItems(skills: readonly BriefSkill[]): BriefingItem[] {
  return skills.map(({ name, description, text }, place) => ({
    section: 'skills',
    label: description === null ? asData(name) : `${asData(name)} (${asData(description)})`,
    text: asTerms(text),
    names: [`skill:${asData(name)}`],
    place,
  }));
}
