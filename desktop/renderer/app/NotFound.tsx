import type { ReactNode } from 'react';
import { t } from '#renderer/language/translate.ts';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';

/** Shown for unknown paths; `home` links to a start page. */
export function NotFound({ home }: { home: ReactNode }) {
  useDocumentTitle(t('Page Not Found'));
  return (
    <div className="rs-empty">
      <h1>{t('Page Not Found.')}</h1>
      {home}
    </div>
  );
}
