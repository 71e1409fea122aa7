import { useLocation, useNavigate } from 'react-router-dom';

/** Back to where one came from; a page that was opened by its address leads to the activities. */
export function useGoBack(): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return () => void (key === 'default' ? navigate('/activities/') : navigate(-1));
}
