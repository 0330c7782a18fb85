package org.stage.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what may change or go in a minor version. A plugin that uses it is built anew for each
 * minor version of the API. What is not marked, and does not stand in a marked type, only grows
 * until the next major version.
 *
 * <p>Kept at run time, so that a tool can list what a plugin relies on.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.CONSTRUCTOR, ElementType.METHOD, ElementType.FIELD})
public @interface Experimental {}
