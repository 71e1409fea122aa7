import type { ReactNode } from 'react';
import { t } from '#renderer/language/translate.ts';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';

/** What stands where no page is; `home` leads to where one begins. */
export function NotFound({ home }: { home: ReactNode }) {
  useDocumentTitle(t('Page Not Found'));
  return (
    <div className="rs-empty">
      <h1>{t('Page Not Found.')}</h1>
      {home}
    </div>
  );
}
