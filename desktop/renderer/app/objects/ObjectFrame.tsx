import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { PageObjectContext } from '#renderer/ui/page-object.ts';
import { namesItsObject, objectAt } from './object-address.ts';
import type { ObjectPartsProps } from './ObjectParts.tsx';
import { ClaimObjectContext, type ClaimedObject } from './page-object-claim.ts';
import { TabsPlace } from './TabsPlace.tsx';
import './objects.css';

/** Most pages that are opened first are about no object, so this loads with the first that is. */
const ObjectParts = lazyPart<ObjectPartsProps>(
  async () => (await import('./ObjectParts.tsx')).ObjectParts,
  ({ path }) => <ReservedParts path={path} />,
);

/** Takes the place of the parts while they are loaded, or while the page has not named its object. */
const ReservedParts = ({ path }: { path: string }) => (
  <>
    <span className="rs-object-facts" />
    <TabsPlace path={path} />
  </>
);

/** Pages whose own title is the name of the object: it stands in the header instead of a second time below it. */
const TITLED =
  /^\/(activities\/\d+|(activities|checklists|workflows|tableviews)\/run\/.*|(activities|checklists|workflows)\/runstatus\/\d+|(checklists|workflows)\/runstatus\/\d+\/again(\/[^/]+)?)\/?$/;

/**
 * The same header and tabs around every page about one activity, checklist, workflow or table view. The pages keep
 * their own titles and menus, which the specification gives.
 */
export function ObjectFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const [place] = useState(createTitlePlace);
  // A function that were new with each drawing would append the place again, and the title in it would lose the focus.
  const attach = useCallback((box: HTMLElement | null) => box?.append(place), [place]);
  const [named, setNamed] = useState({ key: '', name: '' });
  const [claimed, claim] = useClaimedObject(pathname);
  const address = objectAt(pathname) ?? claimed;
  const hasHeader = address !== null || namesItsObject(pathname);
  const key = address ? `${address.kind} ${address.id}` : '';
  const isTitled = hasHeader && TITLED.test(pathname);
  const name = named.key === key ? named.name : (claimed?.name ?? '');
  const slot = isTitled ? place : undefined;
  const shown = useMemo(() => ({ name, slot }), [name, slot]);
  return (
    <>
      {hasHeader && (
        <div className="rs-object">
          {isTitled ? <div ref={attach} /> : <span className="rs-object-name">{name}</span>}
          {address ? (
            <ObjectParts
              key={key}
              address={address}
              path={pathname}
              onName={(found) => setNamed({ key, name: found })}
            />
          ) : (
            <ReservedParts path={pathname} />
          )}
        </div>
      )}
      <ClaimObjectContext value={claim}>
        <PageObjectContext value={shown}>{children}</PageObjectContext>
      </ClaimObjectContext>
    </>
  );
}

/** Returns the object that the page at a path has named, and the function with which pages name theirs. */
function useClaimedObject(path: string) {
  const [claimed, setClaimed] = useState<{ object: ClaimedObject; path: string } | null>(null);
  const claim = useCallback((object: ClaimedObject, at: string) => setClaimed({ object, path: at }), []);
  return [claimed?.path === path ? claimed.object : null, claim] as const;
}

/**
 * The place exists before the header is drawn. A page can therefore draw its title at once, and the focus moves to it.
 */
function createTitlePlace(): HTMLElement {
  const place = document.createElement('div');
  place.className = 'rs-object-title';
  return place;
}
