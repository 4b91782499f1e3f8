package io.helenus.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests of a class on a server, each with the data that the files of {@link #init} make.
 * Parameters of the types {@link HelenusServer} and {@code CqlSession} are filled in.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(HelenusExtension.class)
public @interface Helenus {
  /** CQL files or folders to run before the tests. */
  String[] init() default {};

  /** Further arguments of {@code helenus serve}. */
  String[] arguments() default {};
}
